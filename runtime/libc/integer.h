/* Text to integer. musl reads through a stream and sets errno where glibc does not; here each
 * character is looked at once, and errno is what a native run sees.
 *
 * integer.c and wide_number.c include this, after they have defined `character`. */
#include "replaceable.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

struct scanned {
  uint64_t magnitude; /* the largest value if it does not fit */
  int negative;
  int overflow;
};

static int is_space(character c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static unsigned digit(character c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A') + 10;
  return UINT_MAX;
}

static struct scanned scan(const character *text, character **end, int base) {
  struct scanned result = {0, 0, 0};
  const character *s = text;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return result;
  }
  while (is_space(*s)) s++;
  if (*s == '-') {
    result.negative = 1;
    s++;
  } else if (*s == '+') {
    s++;
  }
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
    s += 2;
    base = 16;
  } else if (base == 0) {
    base = *s == '0' ? 8 : 10;
  }
  const character *digits = s;
  unsigned value;
  while ((value = digit(*s)) < (unsigned)base) {
    uint64_t next;
    if (__builtin_mul_overflow(result.magnitude, (uint64_t)base, &next) || __builtin_add_overflow(next, value, &next))
      result.overflow = 1;
    else
      result.magnitude = next;
    s++;
  }
  if (result.overflow) result.magnitude = UINT64_MAX;
  if (end) *end = (character *)(s == digits ? text : s);
  return result;
}

static long long to_signed(const character *s, character **end, int base) {
  struct scanned scanned = scan(s, end, base);
  uint64_t limit = (uint64_t)LLONG_MAX + (uint64_t)scanned.negative;
  if (scanned.magnitude > limit) {
    errno = ERANGE;
    return scanned.negative ? LLONG_MIN : LLONG_MAX;
  }
  return (long long)(scanned.negative ? -scanned.magnitude : scanned.magnitude);
}

static unsigned long long to_unsigned(const character *s, character **end, int base) {
  struct scanned scanned = scan(s, end, base);
  if (scanned.overflow) {
    errno = ERANGE;
    return ULLONG_MAX;
  }
  return scanned.negative ? -scanned.magnitude : scanned.magnitude;
}

/* All integer types of 64 bits. */
#define INTEGER(type, name, convert)                                                                    \
  REPLACEABLE type name(const character *restrict s, character **restrict end, int base) {              \
    return (type)convert(s, end, base);                                                                 \
  }

/* All functions whose names begin in the same way, as `strto` or `wcsto`. */
#define INTEGERS(prefix)                                                                                \
  INTEGER(long, prefix##l, to_signed)                                                                   \
  INTEGER(long long, prefix##ll, to_signed)                                                             \
  INTEGER(intmax_t, prefix##imax, to_signed)                                                            \
  INTEGER(unsigned long, prefix##ul, to_unsigned)                                                       \
  INTEGER(unsigned long long, prefix##ull, to_unsigned)                                                 \
  INTEGER(uintmax_t, prefix##umax, to_unsigned)
