/* cJSON: parses text, and prints what it has understood in both ways. */
#include <stddef.h>
#include <stdint.h>

#include "cJSON.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cJSON *value = cJSON_ParseWithLength((const char *)data, size);
  if (value != NULL) {
    cJSON_free(cJSON_Print(value));
    cJSON_free(cJSON_PrintUnformatted(value));
    cJSON_Delete(value);
  }
  return 0;
}
