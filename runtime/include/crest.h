/* The interface of CREST: CREST_int(x) makes the variable `x` input.
 *
 * The argument is an lvalue of exactly the named type (otherwise the compiler reports an error); its
 * spelling names the object in the test case. */
#ifndef SECATEUR_CREST_H
#define SECATEUR_CREST_H

#include <klee/klee.h>

#define SECATEUR_CREST_INPUT(type, x) klee_make_symbolic((type *){&(x)}, sizeof(type), #x)

#define CREST_char(x) SECATEUR_CREST_INPUT(char, x)
#define CREST_signed_char(x) SECATEUR_CREST_INPUT(signed char, x)
#define CREST_unsigned_char(x) SECATEUR_CREST_INPUT(unsigned char, x)
#define CREST_short(x) SECATEUR_CREST_INPUT(short, x)
#define CREST_unsigned_short(x) SECATEUR_CREST_INPUT(unsigned short, x)
#define CREST_int(x) SECATEUR_CREST_INPUT(int, x)
#define CREST_unsigned_int(x) SECATEUR_CREST_INPUT(unsigned int, x)
#define CREST_long(x) SECATEUR_CREST_INPUT(long, x)
#define CREST_unsigned_long(x) SECATEUR_CREST_INPUT(unsigned long, x)
#define CREST_long_long(x) SECATEUR_CREST_INPUT(long long, x)
#define CREST_unsigned_long_long(x) SECATEUR_CREST_INPUT(unsigned long long, x)
#define CREST_float(x) SECATEUR_CREST_INPUT(float, x)
#define CREST_double(x) SECATEUR_CREST_INPUT(double, x)

/* The short spellings that some versions use. */
#define CREST_uchar(x) CREST_unsigned_char(x)
#define CREST_ushort(x) CREST_unsigned_short(x)
#define CREST_uint(x) CREST_unsigned_int(x)
#define CREST_ulong(x) CREST_unsigned_long(x)
#define CREST_longlong(x) CREST_long_long(x)
#define CREST_ulonglong(x) CREST_unsigned_long_long(x)
#define CREST_unsigned_longlong(x) CREST_unsigned_long_long(x)

#endif
