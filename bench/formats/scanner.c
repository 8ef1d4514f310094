/* A scanner as flex makes them: what a byte means is in one table, and which state follows in another. It aborts at the
 * end of a line that is a number in hexadecimal, a colon, and a word in quotes. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { OTHER, ZERO, DIGIT, LETTER_X, HEX, COLON, QUOTE, LETTER, NEWLINE, CLASSES };
enum { DEAD, START, LEAD, PREFIX, NUMBER, AFTER, WORD, CLOSED, LINE, STATES };

static const uint8_t classes[256] = {
    ['0'] = ZERO,        ['1' ... '9'] = DIGIT,  ['a' ... 'f'] = HEX, ['A' ... 'F'] = HEX,
    ['x'] = LETTER_X,    ['g' ... 'w'] = LETTER, ['y'] = LETTER,      ['z'] = LETTER,
    [':'] = COLON,       ['"'] = QUOTE,          ['\n'] = NEWLINE,
};

static const uint8_t next[STATES][CLASSES] = {
    [START] = {[ZERO] = LEAD},
    [LEAD] = {[LETTER_X] = PREFIX},
    [PREFIX] = {[ZERO] = NUMBER, [DIGIT] = NUMBER, [HEX] = NUMBER},
    [NUMBER] = {[ZERO] = NUMBER, [DIGIT] = NUMBER, [HEX] = NUMBER, [COLON] = AFTER},
    [AFTER] = {[QUOTE] = WORD},
    [WORD] = {[HEX] = WORD, [LETTER_X] = WORD, [LETTER] = WORD, [QUOTE] = CLOSED},
    [CLOSED] = {[NEWLINE] = LINE},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t state = START;
  if (size < 10) return 0;
  for (size_t i = 0; i < 10; i++) state = next[state][classes[data[i]]];
  if (state == LINE) abort();
  return 0;
}
