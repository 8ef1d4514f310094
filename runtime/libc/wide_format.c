/* The printf family on wide characters. Numbers are formatted by the family on bytes.
 *
 * musl writes wide text as bytes first, so that swprintf cannot make a character beyond ASCII, and ignores
 * the width of %lc. What native programs and this disagree on ends the path as unsupported: the functions
 * that are called then are defined nowhere. */
#include "replaceable.h"
#include "stdio_impl.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* glibc writes something similar to the character in its place. */
void __secateur_wide_output_beyond_ascii(void);
/* Numbered arguments, conversions that do not exist, %c of bytes beyond ASCII. */
void __secateur_wprintf_unusual_format(void);

int __secateur_format(char **text, const char *format, va_list arguments, int error);

/* Where the text goes: to a stream, or to memory that may have less room than the text. */
struct output {
  FILE *f;
  wchar_t *to;
  size_t room, count;
};

/* One conversion specification. */
struct conversion {
  char flags[8];
  int width, precision; /* 0 and -1: none */
  int size;             /* -2: char, -1: short, 0: int or double, 1: 64 bits or wide, 2: long double */
};

static void put(struct output *out, wchar_t c) {
  if (out->f) {
    if ((unsigned)c >= 0x80) __secateur_wide_output_beyond_ascii();
    putc_unlocked(c, out->f);
  } else if (out->count < out->room) {
    out->to[out->count] = c;
  }
  out->count++;
}

static void pad(struct output *out, const struct conversion *conversion, size_t length, int left) {
  if ((strchr(conversion->flags, '-') != 0) != left || conversion->width < 0) return;
  for (size_t i = length; i < (size_t)conversion->width; i++) put(out, ' ');
}

static void put_wide(struct output *out, const struct conversion *conversion, const wchar_t *text, size_t length) {
  pad(out, conversion, length, 0);
  for (size_t i = 0; i < length; i++) put(out, text[i]);
  pad(out, conversion, length, 1);
}

static int put_bytes(struct output *out, const struct conversion *conversion, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)text[i] >= 0x80) {
      errno = EILSEQ;
      return 0;
    }
  pad(out, conversion, length, 0);
  for (size_t i = 0; i < length; i++) put(out, text[i]);
  pad(out, conversion, length, 1);
  return 1;
}

static int put_string(struct output *out, const struct conversion *conversion, const void *text) {
  size_t most = conversion->precision < 0 ? SIZE_MAX : (size_t)conversion->precision;
  if (!text) return put_bytes(out, conversion, "(null)", most < 6 ? 0 : 6);
  size_t length = 0;
  if (conversion->size > 0) {
    const wchar_t *wide = text;
    while (length < most && wide[length]) length++;
    put_wide(out, conversion, wide, length);
    return 1;
  }
  const char *bytes = text;
  while (length < most && bytes[length]) length++;
  return put_bytes(out, conversion, bytes, length);
}

static void put_character(struct output *out, const struct conversion *conversion, wint_t c) {
  wchar_t wide = (wchar_t)c;
  if (conversion->size <= 0) {
    wide = (unsigned char)c;
    if (wide >= 0x80) __secateur_wprintf_unusual_format();
  }
  put_wide(out, conversion, &wide, 1);
}

/* Formats a number, whose conversion takes width and precision from the arguments. */
static int put_number(struct output *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length;
  if (out->f) {
    /* Its length need not be known. */
    int mode = out->f->mode;
    out->f->mode = 0;
    length = vfprintf(out->f, format, arguments);
    out->f->mode = mode;
    if (length >= 0) out->count += (size_t)length;
  } else {
    char *text;
    length = __secateur_format(&text, format, arguments, errno);
    for (int i = 0; i < length; i++) put(out, text[i]);
    free(text);
  }
  va_end(arguments);
  return length >= 0;
}

static int put_integer(struct output *out, const struct conversion *conversion, char specifier, uint64_t value) {
  int is_signed = specifier == 'd' || specifier == 'i';
  switch (conversion->size) {
  case -2: value = is_signed ? (uint64_t)(signed char)value : (unsigned char)value; break;
  case -1: value = is_signed ? (uint64_t)(short)value : (unsigned short)value; break;
  case 0: value = is_signed ? (uint64_t)(int)value : (unsigned)value; break;
  }
  char format[16];
  sprintf(format, "%%%s*.*j%c", conversion->flags, specifier);
  return put_number(out, format, conversion->width, conversion->precision, (uintmax_t)value);
}

static int parse_number(const wchar_t **format) {
  int value = 0;
  for (; **format >= '0' && **format <= '9'; ++*format) {
    int digit = **format - '0';
    if (value > (INT_MAX - digit) / 10) __secateur_wprintf_unusual_format();
    value = 10 * value + digit;
  }
  return value;
}

/* Flags, each once; the one for grouping has no effect in the C locale. */
static void parse_flags(const wchar_t **format, struct conversion *conversion) {
  size_t count = 0;
  for (; **format && wcschr(L"-+ #0'", **format); ++*format) {
    char flag = (char)**format;
    if (flag != '\'' && !memchr(conversion->flags, flag, count)) conversion->flags[count++] = flag;
  }
  conversion->flags[count] = 0;
}

static void parse_size(const wchar_t **format, struct conversion *conversion) {
  conversion->size = 0;
  for (;; ++*format) {
    switch (**format) {
    case 'h': conversion->size--; break;
    case 'l': case 'j': case 'z': case 't': conversion->size = 1; break;
    case 'L': case 'q': conversion->size = 2; break;
    default: return;
    }
  }
}

static int format_wide(struct output *out, const wchar_t *format, va_list arguments) {
  int error = errno;
  for (; *format; format++) {
    if (*format != '%') {
      put(out, *format);
      continue;
    }
    format++;
    struct conversion conversion;
    parse_flags(&format, &conversion);
    if (*format == '*') {
      conversion.width = va_arg(arguments, int);
      format++;
      if (conversion.width == INT_MIN) __secateur_wprintf_unusual_format();
      if (conversion.width < 0) {
        conversion.width = -conversion.width;
        if (!strchr(conversion.flags, '-')) strcat(conversion.flags, "-");
      }
    } else {
      conversion.width = parse_number(&format);
    }
    conversion.precision = -1;
    if (*format == '.' && *++format == '*') {
      conversion.precision = va_arg(arguments, int);
      format++;
    } else if (format[-1] == '.') {
      conversion.precision = parse_number(&format);
    }
    parse_size(&format, &conversion);
    char text[16];
    int fine = 1;
    switch (*format) {
    case '%': put(out, '%'); break;
    case 'C': conversion.size = 1; /* fall through */
    case 'c': put_character(out, &conversion, va_arg(arguments, wint_t)); break;
    case 'S': conversion.size = 1; /* fall through */
    case 's': fine = put_string(out, &conversion, va_arg(arguments, void *)); break;
    case 'm':
      conversion.size = 0;
      fine = put_string(out, &conversion, strerror(error));
      break;
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': {
      uint64_t value = conversion.size > 0 ? va_arg(arguments, uint64_t) : va_arg(arguments, unsigned);
      fine = put_integer(out, &conversion, (char)*format, value);
      break;
    }
    case 'p':
      sprintf(text, "%%%s*.*p", conversion.flags);
      fine = put_number(out, text, conversion.width, conversion.precision, va_arg(arguments, void *));
      break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
      sprintf(text, "%%%s*.*%s%c", conversion.flags, conversion.size == 2 ? "L" : "", (char)*format);
      fine = conversion.size == 2
               ? put_number(out, text, conversion.width, conversion.precision, va_arg(arguments, long double))
               : put_number(out, text, conversion.width, conversion.precision, va_arg(arguments, double));
      break;
    case 'n': {
      void *count = va_arg(arguments, void *);
      switch (conversion.size) {
      case -2: *(char *)count = (char)out->count; break;
      case -1: *(short *)count = (short)out->count; break;
      case 0: *(int *)count = (int)out->count; break;
      default: *(int64_t *)count = (int64_t)out->count; break;
      }
      break;
    }
    default: __secateur_wprintf_unusual_format();
    }
    if (!fine) return -1;
  }
  if (out->count <= INT_MAX) return (int)out->count;
  errno = EOVERFLOW;
  return -1;
}

REPLACEABLE int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list arguments) {
  struct output out = {.f = f};
  if (fwide(f, 1) <= 0) return -1;
  FLOCK(f);
  int before = f->flags & F_ERR;
  f->flags &= ~F_ERR;
  int length = format_wide(&out, format, arguments);
  if (f->flags & F_ERR) length = -1;
  f->flags |= before;
  FUNLOCK(f);
  return length;
}

/* Text that does not fit is cut off. */
REPLACEABLE int vswprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, va_list arguments) {
  if (size == 0) return -1;
  struct output out = {.to = to, .room = size - 1};
  int length = format_wide(&out, format, arguments);
  to[out.count < out.room ? out.count : out.room] = 0;
  return length < 0 || (size_t)length >= size ? -1 : length;
}
