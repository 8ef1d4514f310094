/* Bytes to integer. */
typedef char character;
#include "integer.h"

INTEGERS(strto)

/* glibc's headers define these by strtol, so they accept what it accepts. */
REPLACEABLE int atoi(const char *s) { return (int)strtoll(s, 0, 10); }
REPLACEABLE long atol(const char *s) { return strtoll(s, 0, 10); }
REPLACEABLE long long atoll(const char *s) { return strtoll(s, 0, 10); }
