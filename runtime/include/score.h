/* The interface of SCORE (and of CREST-BV and CROWN): SYM_int(x) makes the variable `x` input.
 *
 * The first argument is an lvalue of exactly the named type (otherwise the compiler reports
 * an error). A second one, a string, names the object in the test case; without it, the spelling of the
 * first one does. */
#ifndef SECATEUR_SCORE_H
#define SECATEUR_SCORE_H

#include <klee/klee.h>

#define SECATEUR_SCORE_INPUT(type, x, spelling, ...) \
  klee_make_symbolic((type *){&(x)}, sizeof(type), SECATEUR_SCORE_LAST(spelling, ##__VA_ARGS__, spelling))
/* The second of its arguments: the name that was given, or the spelling that follows it. */
#define SECATEUR_SCORE_LAST(spelling, name, ...) name

#define SYM_char(x, ...) SECATEUR_SCORE_INPUT(char, x, #x, ##__VA_ARGS__)
#define SYM_signed_char(x, ...) SECATEUR_SCORE_INPUT(signed char, x, #x, ##__VA_ARGS__)
#define SYM_unsigned_char(x, ...) SECATEUR_SCORE_INPUT(unsigned char, x, #x, ##__VA_ARGS__)
#define SYM_short(x, ...) SECATEUR_SCORE_INPUT(short, x, #x, ##__VA_ARGS__)
#define SYM_unsigned_short(x, ...) SECATEUR_SCORE_INPUT(unsigned short, x, #x, ##__VA_ARGS__)
#define SYM_int(x, ...) SECATEUR_SCORE_INPUT(int, x, #x, ##__VA_ARGS__)
#define SYM_unsigned_int(x, ...) SECATEUR_SCORE_INPUT(unsigned int, x, #x, ##__VA_ARGS__)
#define SYM_long(x, ...) SECATEUR_SCORE_INPUT(long, x, #x, ##__VA_ARGS__)
#define SYM_unsigned_long(x, ...) SECATEUR_SCORE_INPUT(unsigned long, x, #x, ##__VA_ARGS__)
#define SYM_long_long(x, ...) SECATEUR_SCORE_INPUT(long long, x, #x, ##__VA_ARGS__)
#define SYM_unsigned_long_long(x, ...) SECATEUR_SCORE_INPUT(unsigned long long, x, #x, ##__VA_ARGS__)
#define SYM_float(x, ...) SECATEUR_SCORE_INPUT(float, x, #x, ##__VA_ARGS__)
#define SYM_double(x, ...) SECATEUR_SCORE_INPUT(double, x, #x, ##__VA_ARGS__)

/* The short spellings that some versions use. */
#define SYM_uchar(x, ...) SYM_unsigned_char(x, ##__VA_ARGS__)
#define SYM_ushort(x, ...) SYM_unsigned_short(x, ##__VA_ARGS__)
#define SYM_uint(x, ...) SYM_unsigned_int(x, ##__VA_ARGS__)
#define SYM_ulong(x, ...) SYM_unsigned_long(x, ##__VA_ARGS__)
#define SYM_longlong(x, ...) SYM_long_long(x, ##__VA_ARGS__)
#define SYM_ulonglong(x, ...) SYM_unsigned_long_long(x, ##__VA_ARGS__)
#define SYM_unsigned_longlong(x, ...) SYM_unsigned_long_long(x, ##__VA_ARGS__)

/* Only inputs for which `condition` holds are explored further. */
#define SYM_assume(condition) klee_assume((condition) != 0)

/* A failure of `condition` is a bug. */
#define SYM_assert(condition) klee_assert(condition)

#endif
