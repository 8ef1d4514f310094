/* jansson: parses any value, and prints it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "jansson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  json_error_t error;
  json_object_seed(1);
  json_t *value = json_loadb((const char *)data, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
  if (value != NULL) {
    free(json_dumps(value, JSON_ENCODE_ANY | JSON_INDENT(2) | JSON_SORT_KEYS));
    json_decref(value);
  }
  return 0;
}
