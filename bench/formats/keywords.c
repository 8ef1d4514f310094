/* A configuration language of nested keywords, one word after the other. It aborts when a section of a section has a
 * setting that nobody would guess. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static const uint8_t *text;
static size_t left;

/* Reads a word and the space behind it, if that is what comes next. */
static int accept(const char *word) {
  size_t length = 0;
  while (word[length] != '\0') {
    if (length >= left || text[length] != (uint8_t)word[length]) return 0;
    length++;
  }
  if (length >= left || text[length] != ' ') return 0;
  text += length + 1;
  left -= length + 1;
  return 1;
}

static void transport(void) {
  if (accept("acknowledged")) {
    if (accept("retransmission") && accept("exponential")) abort();
  } else {
    accept("besteffort");
  }
}

static void interface(void) {
  if (accept("transport")) transport();
  else if (accept("address")) accept("automatic");
  else accept("shutdown");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  text = data;
  left = size;
  if (accept("configuration")) {
    if (accept("interface")) interface();
    else if (accept("hostname")) accept("localhost");
    else accept("password");
  } else {
    accept("statistics");
  }
  return 0;
}
