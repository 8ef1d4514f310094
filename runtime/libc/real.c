/* Text to floating-point numbers. musl converts exactly, but leaves errno and NaN different from what a native run
 * sees: it sets errno where there is no number, and ignores the sign and the payload of a NaN. Its functions go by
 * names of their own (scripts/libc-member.sh). */
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
#define CONVERT(type, name, smallest, make_nan)                                                                        \
  REPLACEABLE type name(const char *restrict text, char **restrict end) {                                              \
    struct start start = find_start(text);                                                                             \
    if (is_nan(start.first)) {                                                                                         \
      const char *after = start.first + 3;                                                                             \
      uint64_t payload = read_payload(&after);                                                                         \
      if (end) *end = (char *)after;                                                                                   \
      return make_nan(start.negative, payload);                                                                        \
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

CONVERT(float, strtof, 0x1p-126f, float_nan)
CONVERT(double, strtod, 0x1p-1022, double_nan)
CONVERT(long double, strtold, 0x1p-16382L, long_double_nan)
