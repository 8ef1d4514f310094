/* Bytes to integer. */
typedef char character;
#include "integer.h"

INTEGER(long, strtol, to_signed)
INTEGER(long long, strtoll, to_signed)
INTEGER(intmax_t, strtoimax, to_signed)
INTEGER(unsigned long, strtoul, to_unsigned)
INTEGER(unsigned long long, strtoull, to_unsigned)
INTEGER(uintmax_t, strtoumax, to_unsigned)

/* glibc's headers define these by strtol, so they accept what it accepts. */
REPLACEABLE int atoi(const char *s) { return (int)strtoll(s, 0, 10); }
REPLACEABLE long atol(const char *s) { return strtoll(s, 0, 10); }
REPLACEABLE long long atoll(const char *s) { return strtoll(s, 0, 10); }
