/* The scanf family, as glibc's: at most one character is ever put back.
 *
 * musl refuses what it cannot read as a whole ("0x" for %i, "1e+" for %f, less than three characters
 * for %3c). glibc collects the characters that can belong to a number, and converts those that make
 * one. What is left in the stream, and what is assigned, differs; native programs use glibc.
 *
 * scan.c and wide_scan.c include this, with WIDE 0 and 1: the format and the input are of bytes or of
 * wide characters. */
#include "replaceable.h"
#include "stdio_impl.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#if WIDE
typedef wchar_t character;
#else
typedef unsigned char character;
#endif

/* How a conversion ends: it fails if the input does not match or if there is no more. */
enum result { MATCHED, MISMATCH, NO_INPUT, BAD_ENCODING, NO_MEMORY };

enum size { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_LONG_LONG };

/* One conversion specification. */
struct conversion {
  int suppress;
  int allocate;
  int width; /* -1: none */
  enum size size;
  int position; /* of the argument, from 1; 0: the next one */
  character specifier;
};

struct input {
  FILE *f;
  int c;      /* the last character; the end of the input is never read twice */
  long count; /* of the characters that were read */
  int error;  /* errno at the end of the input, which it becomes again whenever more is asked for */
#if WIDE
  const wchar_t *string; /* the input if there is no stream */
#endif
};

/* Characters that can belong to a number. */
struct text {
  char *start;
  size_t length, room;
  char small[256];
};

#if WIDE
static int get(struct input *in) {
  if (in->f) return (int)fgetwc(in->f);
  return *in->string ? *in->string++ : EOF;
}

static void unget(struct input *in) {
  if (in->f) ungetwc((wint_t)in->c, in->f);
  else in->string--;
}
#else
static int get(struct input *in) { return getc_unlocked(in->f); }

static void unget(struct input *in) {
  FILE *f = in->f;
  /* The character still precedes the position, unless the stream has no buffer. A string is not written to. */
  if (f->rpos <= f->buf) f->rpos[-1] = (unsigned char)in->c;
  f->rpos--;
}
#endif

static int next(struct input *in) {
  if (in->c == EOF) {
    errno = in->error;
    return EOF;
  }
  in->c = get(in);
  if (in->c != EOF) in->count++;
  else in->error = errno;
  return in->c;
}

static void put_back(struct input *in) {
  if (in->c == EOF) return;
  in->count--;
  unget(in);
}

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int is_digit(int c) { return c >= '0' && c <= '9'; }
static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
static int is_hex_digit(int c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

static void skip_space(struct input *in) {
  while (is_space(next(in))) continue;
  put_back(in);
}

static int add(struct text *text, int c) {
  if (text->length == text->room) {
    char *old = text->start == text->small ? 0 : text->start;
    char *grown = realloc(old, 2 * text->room);
    if (!grown) return 0;
    if (!old) memcpy(grown, text->small, text->length);
    text->start = grown;
    text->room *= 2;
  }
  text->start[text->length++] = (char)c;
  return 1;
}

/* Another character was used up. */
static void use(int *width) {
  if (*width > 0) --*width;
}

static void store_integer(void *to, enum size size, uint64_t value) {
  switch (size) {
  case SIZE_CHAR: *(char *)to = (char)value; break;
  case SIZE_SHORT: *(short *)to = (short)value; break;
  case SIZE_INT: *(int *)to = (int)value; break;
  default: *(long long *)to = (long long)value; break;
  }
}

/* glibc prints null pointers in this way. */
static int is_nil(struct input *in) {
  return in->c == '(' && lower(next(in)) == 'n' && lower(next(in)) == 'i' && lower(next(in)) == 'l' && next(in) == ')';
}

static enum result collect_integer(struct input *in, struct text *text, int width, int *base, int is_pointer) {
  int c = next(in);
  if (c == EOF) return NO_INPUT;
  if (c == '-' || c == '+') {
    if (!add(text, c)) return NO_MEMORY;
    use(&width);
    c = next(in);
  }
  size_t sign = text->length;
  if (width != 0 && c == '0') {
    use(&width);
    if (!add(text, c)) return NO_MEMORY;
    c = next(in);
    if (width != 0 && lower(c) == 'x') {
      if (*base == 0) *base = 16;
      if (*base == 16) {
        use(&width);
        c = next(in);
      }
    } else if (*base == 0) {
      *base = 8;
    }
  }
  if (*base == 0) *base = 10;
  while (width != 0 && (*base == 16 ? is_hex_digit(c) : is_digit(c) && c - '0' < *base)) {
    if (!add(text, c)) return NO_MEMORY;
    use(&width);
    c = next(in);
  }
  if (text->length > sign) {
    put_back(in);
    return MATCHED;
  }
  if (sign == 0 && is_pointer && (width < 0 || width >= 5) && is_nil(in)) return add(text, '0') ? MATCHED : NO_MEMORY;
  put_back(in);
  return MISMATCH;
}

static enum result scan_integer(struct input *in, const struct conversion *conversion, struct text *text, void *to) {
  int is_signed = conversion->specifier == 'd' || conversion->specifier == 'i';
  int is_pointer = conversion->specifier == 'p', base = 10;
  switch (conversion->specifier) {
  case 'x': case 'X': case 'p': base = 16; break;
  case 'o': base = 8; break;
  case 'i': base = 0; break;
  }
  enum result result = collect_integer(in, text, conversion->width, &base, is_pointer);
  if (result == MATCHED && !add(text, 0)) result = NO_MEMORY;
  if (result != MATCHED) return result;
  uint64_t value = is_signed ? (uint64_t)strtoll(text->start, 0, base) : strtoull(text->start, 0, base);
  if (to) store_integer(to, is_pointer ? SIZE_LONG : conversion->size, value);
  return MATCHED;
}

/* The rest of a word, of which the first character was read; case does not matter. */
static enum result collect_word(struct input *in, struct text *text, int *width, const char *word) {
  for (; *word; word++) {
    if (*width == 0 || lower(next(in)) != *word) return MISMATCH;
    use(width);
    if (!add(text, in->c)) return NO_MEMORY;
  }
  return MATCHED;
}

static enum result collect_float(struct input *in, struct text *text, int width) {
  int c = next(in);
  if (c == EOF) return NO_INPUT;
  use(&width);
  if (c == '-' || c == '+') {
    if (!add(text, c)) return NO_MEMORY;
    if (width == 0 || (c = next(in)) == EOF) return MISMATCH;
    use(&width);
  }
  size_t prefix = text->length;
  if (lower(c) == 'n') return add(text, c) ? collect_word(in, text, &width, "an") : NO_MEMORY;
  if (lower(c) == 'i') {
    enum result result = add(text, c) ? collect_word(in, text, &width, "nf") : NO_MEMORY;
    if (result != MATCHED || width == 0 || next(in) == EOF) return result;
    if (lower(in->c) != 'i') {
      put_back(in);
      return MATCHED;
    }
    use(&width);
    return add(text, in->c) ? collect_word(in, text, &width, "nity") : NO_MEMORY;
  }
  int hex = 0, has_digit = 0, has_point = 0, has_exponent = 0;
  if (width != 0 && c == '0') {
    if (!add(text, c)) return NO_MEMORY;
    c = next(in);
    use(&width);
    if (width != 0 && lower(c) == 'x') {
      if (!add(text, c)) return NO_MEMORY;
      hex = 1;
      prefix += 2;
      c = next(in);
      use(&width);
    } else {
      has_digit = 1;
    }
  }
  int mark = hex ? 'p' : 'e';
  for (;;) {
    if (is_digit(c) || (hex && !has_exponent && is_hex_digit(c))) {
      has_digit = 1;
    } else if (has_exponent && text->start[text->length - 1] == mark && (c == '-' || c == '+')) {
      /* the sign of the exponent */
    } else if (has_digit && !has_exponent && lower(c) == mark) {
      c = mark;
      has_exponent = has_point = 1;
    } else if (!has_point && c == '.') {
      has_point = 1;
    } else {
      put_back(in);
      break;
    }
    if (!add(text, c)) return NO_MEMORY;
    if (width == 0 || (c = next(in)) == EOF) break;
    use(&width);
  }
  return text->length > prefix ? MATCHED : MISMATCH;
}

static enum result scan_float(struct input *in, const struct conversion *conversion, struct text *text, void *to) {
  enum result result = collect_float(in, text, conversion->width);
  if (result == MATCHED && !add(text, 0)) result = NO_MEMORY;
  if (result != MATCHED) return result;
  char *end;
  if (conversion->size == SIZE_LONG_LONG) {
    long double value = strtold(text->start, &end);
    if (to && end != text->start) *(long double *)to = value;
  } else if (conversion->size == SIZE_LONG) {
    double value = strtod(text->start, &end);
    if (to && end != text->start) *(double *)to = value;
  } else {
    float value = strtof(text->start, &end);
    if (to && end != text->start) *(float *)to = value;
  }
  return end != text->start ? MATCHED : MISMATCH;
}

/* The characters from `start` to `end`, with ranges such as a-z, or all others. */
struct set {
  const character *start, *end;
  int others;
};

static int contains(const struct set *set, int c) {
  int found = 0;
  for (const character *s = set->start; s < set->end; s++) {
    int is_range = *s == '-' && s > set->start && s + 1 < set->end && s[-1] <= s[1];
    int first = is_range ? s[-1] : *s, last = is_range ? s[1] : *s;
    /* One comparison, so that a path is made for the set rather than for each range. */
    found |= (unsigned)c - (unsigned)first <= (unsigned)last - (unsigned)first;
  }
  return found != set->others;
}

/* Reads a set such as [^a-z]; returns what follows it, or a null pointer if it does not end. */
static const character *parse_set(const character *format, struct set *set) {
  set->others = *format == '^';
  if (set->others) format++;
  set->start = format;
  while (*format && (*format != ']' || format == set->start)) format++;
  set->end = format;
  return *format ? format + 1 : 0;
}

/* Where characters go: into the array of the program, or into one that is allocated for it. */
struct target {
  int wide;
  char *to;
  char **allocated;
  size_t length, room;
};

static int open_target(struct target *target, const struct conversion *conversion, void *argument) {
  memset(target, 0, sizeof *target);
  target->wide = conversion->size == SIZE_LONG || conversion->size == SIZE_LONG_LONG;
  if (conversion->suppress) return 1;
  if (!argument) return 0;
  if (!conversion->allocate) {
    target->to = argument;
    return 1;
  }
  target->allocated = argument;
  target->room = 100;
  target->to = *target->allocated = malloc(target->room * (target->wide ? sizeof(wchar_t) : 1));
  return target->to != 0;
}

static enum result store_character(struct target *target, int c) {
  /* Bytes that are skipped are converted as well, wide characters are not. */
  if (target->wide != WIDE && (unsigned)c >= 0x80 && (target->to || !WIDE)) {
    errno = EILSEQ;
    return BAD_ENCODING;
  }
  if (!target->to) return MATCHED;
  size_t size = target->wide ? sizeof(wchar_t) : 1;
  if (target->allocated && target->length == target->room) {
    char *grown = realloc(target->to, 2 * target->room * size);
    if (!grown) return NO_MEMORY;
    target->to = *target->allocated = grown;
    target->room *= 2;
  }
  if (target->wide) ((wchar_t *)target->to)[target->length] = c;
  else target->to[target->length] = (char)c;
  target->length++;
  return MATCHED;
}

/* An allocated array becomes as long as its content. */
static void fit(struct target *target) {
  if (!target->allocated) return;
  char *fitting = realloc(target->to, target->length * (target->wide ? sizeof(wchar_t) : 1));
  if (fitting) *target->allocated = fitting;
}

/* Characters of a set, or any if there is none, at most `width`. */
static enum result read_characters(struct input *in, struct target *target, int width, const struct set *set) {
  long before = in->count;
  if (next(in) == EOF) return NO_INPUT;
  do {
    if (set && !contains(set, in->c)) {
      put_back(in);
      break;
    }
    enum result result = store_character(target, in->c);
    /* glibc does not report a wide character without bytes as an error, unless it is read by %c. */
    if (result != MATCHED) return WIDE && set && result == BAD_ENCODING ? MISMATCH : result;
  } while ((width < 0 || --width > 0) && next(in) != EOF);
  if (in->count == before) return MISMATCH;
  return set ? store_character(target, 0) : MATCHED;
}

static enum result scan_characters(struct input *in, const struct conversion *conversion, int width,
                                   const struct set *set, void *argument) {
  struct target target;
  enum result result = NO_MEMORY;
  if (open_target(&target, conversion, argument)) result = read_characters(in, &target, width, set);
  else if (!conversion->allocate || !argument) return MISMATCH;
  if (result == MATCHED) {
    fit(&target);
  } else if (target.allocated) {
    free(target.to);
    *target.allocated = 0;
  }
  return result;
}

static const character *parse_number(const character *format, int *number) {
  long value = 0;
  for (; is_digit(*format); format++)
    if (value <= INT_MAX) value = 10 * value + (*format - '0');
  *number = value > INT_MAX ? INT_MAX : (int)value;
  return format;
}

/* Reads what precedes and includes the specifier, which is 0 if the format ends before it. */
static const character *parse(const character *format, struct conversion *conversion) {
  memset(conversion, 0, sizeof *conversion);
  conversion->size = SIZE_INT;
  int number = 0;
  const character *after = parse_number(format, &number);
  if (after > format && *after == '$') {
    conversion->position = number;
    format = after + 1;
    number = 0;
  } else {
    format = after;
  }
  if (after == format && number > 0) {
    conversion->width = number;
  } else {
    for (;; format++) {
      if (*format == '*') conversion->suppress = 1;
      else if (*format != '\'' && *format != 'I') break;
    }
    format = parse_number(format, &conversion->width);
  }
  if (conversion->width == 0) conversion->width = -1;
  int allocate = *format == 'm';
  format += allocate;
  switch (*format) {
  case 'h':
    conversion->size = format[1] == 'h' ? SIZE_CHAR : SIZE_SHORT;
    format += conversion->size == SIZE_CHAR ? 2 : 1;
    break;
  case 'l':
    conversion->size = format[1] == 'l' ? SIZE_LONG_LONG : SIZE_LONG;
    format += conversion->size == SIZE_LONG_LONG ? 2 : 1;
    break;
  case 'q': case 'L':
    conversion->size = SIZE_LONG_LONG;
    format++;
    break;
  case 'j': case 'z': case 't':
    conversion->size = SIZE_LONG;
    format++;
    break;
  }
  conversion->specifier = *format;
  if (conversion->specifier == 'C' || conversion->specifier == 'S') {
    conversion->size = SIZE_LONG;
    conversion->specifier = (character)lower(conversion->specifier);
  }
  int is_text = conversion->specifier == 'c' || conversion->specifier == 's' || conversion->specifier == '[';
  conversion->allocate = allocate && is_text;
  return *format ? format + 1 : format;
}

/* Every argument is a pointer. */
static void *argument_at(int position, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  void *argument = 0;
  for (int i = 0; i < position; i++) argument = va_arg(copy, void *);
  va_end(copy);
  return argument;
}

/* Characters up to the next space. */
static enum result scan_word(struct input *in, const struct conversion *conversion, void *argument) {
  static const character spaces[] = {' ', '\t', '\n', '\v', '\f', '\r'};
  static const struct set words = {spaces, spaces + sizeof spaces / sizeof *spaces, 1};
  return scan_characters(in, conversion, conversion->width, &words, argument);
}

/* Carries out one conversion; *format is after its specifier and may be moved over a set. */
static enum result convert(struct input *in, const struct conversion *conversion, const character **format,
                           void *argument) {
  struct text text;
  text.start = text.small;
  text.length = 0;
  text.room = sizeof text.small;
  enum result result;
  switch (conversion->specifier) {
  case '%':
    if (next(in) == EOF) return NO_INPUT;
    if (in->c == '%') return MATCHED;
    put_back(in);
    return MISMATCH;
  case 'n':
    if (argument) store_integer(argument, conversion->size, (uint64_t)in->count);
    return MATCHED;
  case 'c':
    return scan_characters(in, conversion, conversion->width < 0 ? 1 : conversion->width, 0, argument);
  case 's':
    return scan_word(in, conversion, argument);
  case '[': {
    struct set set;
    *format = parse_set(*format, &set);
    if (!*format) {
      if (conversion->allocate && argument) *(void **)argument = 0;
      return MISMATCH;
    }
    return scan_characters(in, conversion, conversion->width, &set, argument);
  }
  case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'p':
    result = scan_integer(in, conversion, &text, argument);
    break;
  case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
    result = scan_float(in, conversion, &text, argument);
    break;
  default:
    return MISMATCH;
  }
  if (text.start != text.small) free(text.start);
  return result;
}

static int scan(struct input *in, const character *format, va_list arguments) {
  int done = 0, space = 0;
  while (*format) {
    if (is_space(*format)) {
      space = 1;
      format++;
      continue;
    }
    if (*format != '%') {
      if (space) skip_space(in);
      space = 0;
      if (next(in) == EOF) return done > 0 ? done : EOF;
      if (in->c != *format++) {
        put_back(in);
        return done;
      }
      continue;
    }
    struct conversion conversion;
    format = parse(format + 1, &conversion);
    character specifier = conversion.specifier;
    if (!specifier) return done;
    if (space || (specifier != '[' && specifier != 'c' && specifier != 'n')) skip_space(in);
    space = 0;
    void *argument = 0;
    if (!conversion.suppress && specifier != '%')
      argument = conversion.position > 0 ? argument_at(conversion.position, arguments) : va_arg(arguments, void *);
    switch (convert(in, &conversion, &format, argument)) {
    case MATCHED: break;
    case MISMATCH: return done;
    case NO_INPUT: return done > 0 ? done : EOF;
    case BAD_ENCODING: case NO_MEMORY: return EOF;
    }
    if (!conversion.suppress && specifier != '%' && specifier != 'n') done++;
  }
  if (space) skip_space(in);
  return done;
}
