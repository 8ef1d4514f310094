/* Text to floating-point numbers. Short decimal numbers are converted here, with a single rounding: musl computes in
 * long double, on an array with symbolic indices, which is hard on solvers. It converts all others exactly, but leaves
 * errno and NaN different from what a native run sees: it sets errno where there is no number, and ignores the sign and
 * the payload of a NaN. Its functions go by names of their own (scripts/libc-member.sh). */
#include "replaceable.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

float __musl_strtof(const char *restrict, char **restrict);
double __musl_strtod(const char *restrict, char **restrict);
long double __musl_strtold(const char *restrict, char **restrict);

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }
static int is_word(char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; }

struct start {
  const char *first; /* after space and sign */
  int negative;
};

static struct start find_start(const char *text) {
  struct start start = {text, 0};
  while (is_space(*start.first)) start.first++;
  if (*start.first == '-' || *start.first == '+') start.negative = *start.first++ == '-';
  return start;
}

static int is_nan(const char *s) { return lower(s[0]) == 'n' && lower(s[1]) == 'a' && lower(s[2]) == 'n'; }

/* What the parentheses after "nan" say; moves over them if they are complete. */
static uint64_t read_payload(const char **s) {
  if (**s != '(') return 0;
  const char *end = *s + 1;
  while (is_word(*end)) end++;
  if (*end != ')') return 0;
  char *read;
  uint64_t payload = strtoull(*s + 1, &read, 0);
  int is_number = read == end;
  *s = end + 1;
  return is_number ? payload : 0;
}

/* A decimal number: an integer of few digits times a power of ten. */
struct decimal {
  uint64_t digits;
  int exponent;
  const char *end;
};

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads a number whose digits and power of ten can be represented exactly; 0 if it is none of these. */
static int read_short(const char *s, int most_digits, int most_exponent, struct decimal *number) {
  int count = 0, point = 0, exponent = 0;
  uint64_t digits = 0;
  if (s[0] == '0' && lower(s[1]) == 'x') return 0;
  for (; is_digit(*s) || (*s == '.' && !point); s++) {
    if (*s == '.') {
      point = 1;
      continue;
    }
    if (++count > most_digits) return 0;
    digits = 10 * digits + (uint64_t)(*s - '0');
    exponent -= point;
  }
  if (count == 0) return 0;
  number->end = s;
  if (lower(*s) == 'e') {
    s++;
    int negative = *s == '-', value = 0;
    if (*s == '-' || *s == '+') s++;
    if (is_digit(*s)) {
      for (count = 0; is_digit(*s); s++) {
        if (++count > 2) return 0;
        value = 10 * value + (*s - '0');
      }
      exponent += negative ? -value : value;
      number->end = s;
    }
  }
  if (exponent < -most_exponent || exponent > most_exponent) return 0;
  number->digits = digits;
  number->exponent = exponent;
  return 1;
}

static const float float_powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
static const double double_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const long double long_double_powers[] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
    1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

/* Whether a number has an exponent, or is so long that it needs none to be very large or small. */
static int may_leave_range(const char *first, const char *end) {
  if (end - first > 30) return 1;
  int hex = first[0] == '0' && lower(first[1]) == 'x';
  for (const char *s = first; s < end; s++)
    if (lower(*s) == (hex ? 'p' : 'e')) return 1;
  return 0;
}

static int has_nonzero_digit(const char *first, const char *end) {
  int hex = first[0] == '0' && lower(first[1]) == 'x';
  for (const char *s = hex ? first + 2 : first; s < end && lower(*s) != (hex ? 'p' : 'e'); s++)
    if (*s != '0' && *s != '.') return 1;
  return 0;
}

/* A tiny result is out of range unless it is exact. No decimal number of a usual length is: even the largest tiny
 * float has more than eighty digits. */
#define CONVERT(type, name, smallest, most_digits, powers, make_nan)                                                   \
  REPLACEABLE type name(const char *restrict text, char **restrict end) {                                              \
    struct start start = find_start(text);                                                                             \
    if (is_nan(start.first)) {                                                                                         \
      const char *after = start.first + 3;                                                                             \
      uint64_t payload = read_payload(&after);                                                                         \
      if (end) *end = (char *)after;                                                                                   \
      return make_nan(start.negative, payload);                                                                        \
    }                                                                                                                  \
    struct decimal number;                                                                                             \
    if (read_short(start.first, most_digits, sizeof powers / sizeof *powers - 1, &number)) {                           \
      if (end) *end = (char *)number.end;                                                                              \
      type value = start.negative ? -(type)number.digits : (type)number.digits;                                        \
      if (number.exponent < 0) value /= powers[-number.exponent];                                                      \
      if (number.exponent > 0) value *= powers[number.exponent];                                                       \
      return value;                                                                                                    \
    }                                                                                                                  \
    int before = errno;                                                                                                \
    char *after;                                                                                                       \
    type value = __musl_##name(text, &after);                                                                          \
    errno = before;                                                                                                    \
    if (end) *end = after;                                                                                             \
    if (after == text || lower(*start.first) == 'i' || !may_leave_range(start.first, after)) return value;             \
    type size = start.negative ? -value : value;                                                                       \
    int hex = start.first[0] == '0' && lower(start.first[1]) == 'x';                                                   \
    if (size == HUGE_VALL) errno = ERANGE;                                                                             \
    else if (size < smallest && has_nonzero_digit(start.first, after)                                                  \
             && !(hex && (long double)value == __musl_strtold(text, 0) && value != 0)) errno = ERANGE;                 \
    return value;                                                                                                      \
  }

static float float_nan(int negative, uint64_t payload) {
  uint32_t bits = 0x7fc00000u | (uint32_t)(payload & 0x3fffff) | (uint32_t)negative << 31;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double double_nan(int negative, uint64_t payload) {
  uint64_t bits = 0x7ff8000000000000u | (payload & 0x7ffffffffffffu) | (uint64_t)negative << 63;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static long double long_double_nan(int negative, uint64_t payload) {
  struct {
    uint64_t fraction;
    uint16_t exponent;
  } bits = {0xc000000000000000u | (payload & 0x3fffffffffffffffu), (uint16_t)(0x7fff | negative << 15)};
  long double value = 0;
  memcpy(&value, &bits, 10);
  return value;
}

CONVERT(float, strtof, 0x1p-126f, 7, float_powers, float_nan)
CONVERT(double, strtod, 0x1p-1022, 15, double_powers, double_nan)
CONVERT(long double, strtold, 0x1p-16382L, 19, long_double_powers, long_double_nan)
