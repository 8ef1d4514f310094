// Reads a JSON text from standard input and prints it again: the JSON parser of `make bench-learn`.

#include <stdio.h>
#include <stdlib.h>

#include "cJSON.h"

int main(void) {
  char text[64];
  size_t length = fread(text, 1, sizeof text - 1, stdin);
  text[length] = 0;
  cJSON *value = cJSON_Parse(text);
  if (!value) return 1;
  char *printed = cJSON_Print(value);
  if (printed) puts(printed);
  free(printed);
  cJSON_Delete(value);
  return 0;
}
