// Small parsers: numbers, roman numerals, UTF-8, and a state machine.
//! unit: parse_number 14/14 --str-len 3 --array-len 1
//! unit: roman_value 9/9
//! unit: roman_number 6/6 --str-len 3
//! unit: decode_utf8 12/12 --str-len 3 --array-len 1 --non-null
//! unit: is_identifier 14/14 --str-len 2
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum status { OK, EMPTY, BAD, TOO_LARGE };

enum status parse_number(const char *text, int *number) {
  if (!text || !number)
    return BAD;
  if (!*text)
    return EMPTY;
  int value = 0;
  for (; *text; text++) {
    if (*text < '0' || *text > '9')
      return BAD;
    value = value * 10 + (*text - '0');
    if (value > 99)
      return TOO_LARGE;
  }
  *number = value;
  return OK;
}

static int roman_value(char letter) {
  switch (letter) {
  case 'I':
    return 1;
  case 'V':
    return 5;
  case 'X':
    return 10;
  case 'L':
    return 50;
  case 'C':
    return 100;
  case 'D':
    return 500;
  case 'M':
    return 1000;
  case 'i':
    return 1;
  default:
    return 0;
  }
}

int roman_number(const char *text) {
  int sum = 0;
  for (; text && *text; text++) {
    int value = roman_value(text[0]), next = roman_value(text[1]);
    sum += value < next ? -value : value;
  }
  return sum;
}

/* The length of the first character, or 0. */
size_t decode_utf8(const unsigned char *text, uint32_t *character) {
  if (text[0] < 0x80) {
    *character = text[0];
    return text[0] != 0;
  }
  if ((text[0] & 0xe0) == 0xc0) {
    if ((text[1] & 0xc0) != 0x80)
      return 0;
    *character = (text[0] & 0x1fu) << 6 | (text[1] & 0x3fu);
    return *character < 0x80 ? 0 : 2;
  }
  if ((text[0] & 0xf0) == 0xe0) {
    if ((text[1] & 0xc0) != 0x80 || (text[2] & 0xc0) != 0x80)
      return 0;
    *character = (text[0] & 0xfu) << 12 | (text[1] & 0x3fu) << 6 | (text[2] & 0x3fu);
    return 3;
  }
  return 0;
}

bool is_identifier(const char *text) {
  if (!text || (*text >= '0' && *text <= '9'))
    return false;
  for (; *text; text++)
    if (*text != '_' && (*text < 'a' || *text > 'z'))
      return false;
  return true;
}
