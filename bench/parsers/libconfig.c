/* libconfig: reads a configuration from a string; its scanner is a table made by flex. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libconfig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  config_t config;
  config_init(&config);
  config_read_string(&config, text);
  config_destroy(&config);
  free(text);
  return 0;
}
