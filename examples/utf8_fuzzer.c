/* A libFuzzer harness, unchanged: decodes UTF-8 and counts the characters.
 *
 *     secateur run examples/utf8_fuzzer.c --max-len 4
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The length of a character by its first byte; 0 if no character starts with it. */
static size_t length_of(uint8_t first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

static size_t count_characters(const uint8_t *text, size_t size) {
  size_t count = 0;
  for (size_t at = 0; at < size; count++) {
    size_t length = length_of(text[at]);
    if (length == 0) return count;
    for (size_t i = 1; i < length; i++) {
      if ((text[at + i] & 0xc0) != 0x80) return count; /* the text may end in the middle of a character */
    }
    at += length;
  }
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (count_characters(data, size) > size) abort(); /* no text has more characters than bytes */
  return 0;
}
