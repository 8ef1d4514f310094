/* iconv() between the character sets that programs convert names and text to. glibc knows hundreds more: asking for one
 * of these ends the path as unsupported, and so does a replacement that glibc has a table for. */
#include "replaceable.h"

#include <errno.h>
#include <iconv.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Defined nowhere. */
void __secateur_iconv_other_character_set(void);
void __secateur_iconv_unusual_replacement(void);

enum { ASCII, LATIN_1, UTF_8, UTF_16LE, UTF_16BE, UTF_32LE, UTF_32BE };

static const struct {
  const char *name;
  int set;
} names[] = {
    {"ASCII", ASCII},           {"US-ASCII", ASCII},     {"ANSI_X3.4-1968", ASCII}, {"ISO-8859-1", LATIN_1},
    {"ISO8859-1", LATIN_1},     {"ISO_8859-1", LATIN_1}, {"LATIN1", LATIN_1},       {"UTF-8", UTF_8},
    {"UTF8", UTF_8},            {"UTF-16LE", UTF_16LE},  {"UTF-16BE", UTF_16BE},    {"UTF-32LE", UTF_32LE},
    {"UTF-32BE", UTF_32BE},
};

/* The set that is meant by a name, without what comes behind it. */
static int set_of(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i].name) == length && strncasecmp(names[i].name, name, length) == 0) return names[i].set;
  __secateur_iconv_other_character_set();
  return -1;
}

/* A descriptor is a number: 1 + 16 * from + to, and whether characters are replaced. */
REPLACEABLE iconv_t iconv_open(const char *to, const char *from) {
  const char *suffix = strstr(to, "//"), *ignored = strstr(from, "//");
  int replaces = suffix && strcasecmp(suffix, "//TRANSLIT") == 0;
  if (suffix && suffix[2] && !replaces) __secateur_iconv_other_character_set();
  int target = set_of(to, suffix ? (size_t)(suffix - to) : strlen(to));
  int source = set_of(from, ignored ? (size_t)(ignored - from) : strlen(from));
  return (iconv_t)(uintptr_t)(1 + source * 16 + target + 256 * replaces);
}

REPLACEABLE int iconv_close(iconv_t descriptor) {
  (void)descriptor;
  return 0;
}

enum { ILLEGAL = -1, INCOMPLETE = -2 };

/* Reads a character of UTF-8: its length, or why there is none. Those beyond Unicode are only refused when they are
 * written in another form. */
static int read_utf8(const unsigned char *text, size_t left, uint32_t *character) {
  unsigned first = text[0];
  int length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
  if (first >= 0xf8 && first < 0xfe) __secateur_iconv_unusual_replacement();
  if (length == 0) return ILLEGAL;
  if (length == 1) return *character = first, 1;
  uint32_t value = first & (0x7f >> length);
  for (int i = 1; i < length; i++) {
    if ((size_t)i >= left) return INCOMPLETE;
    if ((text[i] & 0xc0) != 0x80) return ILLEGAL;
    value = value << 6 | (text[i] & 0x3f);
    if (i == 1 && ((length == 3 && (value < 0x20 || (value >= 0x360 && value < 0x380))) ||
                   (length == 4 && value < 0x10)))
      return ILLEGAL;
  }
  *character = value;
  return length;
}

static uint32_t word(const unsigned char *text, int size, int big) {
  uint32_t value = 0;
  for (int i = 0; i < size; i++) value = value << 8 | text[big ? i : size - 1 - i];
  return value;
}

static int read_character(int set, const unsigned char *text, size_t left, uint32_t *character) {
  size_t size = set >= UTF_32LE ? 4 : set >= UTF_16LE ? 2 : 1;
  if (left < size) return INCOMPLETE;
  switch (set) {
    case ASCII: *character = text[0]; return text[0] < 0x80 ? 1 : ILLEGAL;
    case LATIN_1: *character = text[0]; return 1;
    case UTF_8: return read_utf8(text, left, character);
    case UTF_16LE:
    case UTF_16BE: {
      uint32_t first = word(text, 2, set == UTF_16BE);
      *character = first;
      if (first < 0xd800 || first > 0xdfff) return 2;
      if (first > 0xdbff) return ILLEGAL;
      if (left < 4) return INCOMPLETE;
      uint32_t second = word(text + 2, 2, set == UTF_16BE);
      if (second < 0xdc00 || second > 0xdfff) return ILLEGAL;
      *character = 0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff));
      return 4;
    }
    default:
      *character = word(text, 4, set == UTF_32BE);
      return *character > 0x10ffff || (*character >= 0xd800 && *character <= 0xdfff) ? ILLEGAL : 4;
  }
}

static int put_word(unsigned char *text, uint32_t value, int size, int big) {
  for (int i = 0; i < size; i++) text[big ? size - 1 - i : i] = (unsigned char)(value >> 8 * i);
  return size;
}

/* Writes a character: its length, or ILLEGAL if the set does not have it. */
static int write_character(int set, unsigned char *text, uint32_t c) {
  switch (set) {
    case ASCII:
    case LATIN_1: text[0] = (unsigned char)c; return c < (set == ASCII ? 0x80 : 0x100) ? 1 : ILLEGAL;
    case UTF_8:
      if (c < 0x80) return text[0] = (unsigned char)c, 1;
      if (c < 0x800) return text[0] = (unsigned char)(0xc0 | c >> 6), text[1] = 0x80 | (c & 0x3f), 2;
      if (c < 0x10000) {
        text[0] = (unsigned char)(0xe0 | c >> 12), text[1] = 0x80 | (c >> 6 & 0x3f), text[2] = 0x80 | (c & 0x3f);
        return 3;
      }
      text[0] = (unsigned char)(0xf0 | c >> 18), text[1] = 0x80 | (c >> 12 & 0x3f);
      text[2] = 0x80 | (c >> 6 & 0x3f), text[3] = 0x80 | (c & 0x3f);
      return 4;
    case UTF_16LE:
    case UTF_16BE:
      if (c > 0x10ffff) return ILLEGAL;
      if (c < 0x10000) return put_word(text, c, 2, set == UTF_16BE);
      put_word(text, 0xd800 + ((c - 0x10000) >> 10), 2, set == UTF_16BE);
      put_word(text + 2, 0xdc00 + (c & 0x3ff), 2, set == UTF_16BE);
      return 4;
    default: return c > 0x10ffff ? ILLEGAL : put_word(text, c, 4, set == UTF_32BE);
  }
}

/* What glibc writes for a character that ASCII does not have: a question mark for most letters of Western Europe. */
static void check_replacement(uint32_t c) {
  if (c < 0xbf || c > 0xff || c == 0xc6 || c == 0xd7 || c == 0xdf || c == 0xe6) __secateur_iconv_unusual_replacement();
}

REPLACEABLE size_t iconv(iconv_t descriptor, char **restrict in, size_t *restrict in_left, char **restrict out,
                         size_t *restrict out_left) {
  unsigned number = (unsigned)(uintptr_t)descriptor - 1;
  int source = number / 16 % 16, target = number % 16, replaces = number >= 256;
  size_t replaced = 0;
  if (!in || !*in) return 0;
  while (*in_left > 0) {
    uint32_t character;
    unsigned char bytes[4];
    int length = read_character(source, (unsigned char *)*in, *in_left, &character);
    if (length < 0) return errno = length == ILLEGAL ? EILSEQ : EINVAL, (size_t)-1;
    int written = write_character(target, bytes, character), is_replaced = written == ILLEGAL;
    if (is_replaced && !replaces) return errno = EILSEQ, (size_t)-1;
    if (is_replaced) {
      check_replacement(character);
      written = write_character(target, bytes, '?');
    }
    if ((size_t)written > *out_left) return errno = E2BIG, (size_t)-1;
    memcpy(*out, bytes, (size_t)written);
    *out += written;
    *out_left -= (size_t)written;
    *in += length;
    *in_left -= (size_t)length;
    replaced += is_replaced;
  }
  return replaced;
}
