/* The functions that programs of SV-COMP and Test-Comp use, for programs that forget to declare
 * them. Each __VERIFIER_nondet_* call adds one object, named after the called function, to the test
 * case. */
#ifndef SECATEUR_SVCOMP_H
#define SECATEUR_SVCOMP_H

#ifdef __cplusplus
extern "C" {
#endif

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
signed char __VERIFIER_nondet_schar(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned char __VERIFIER_nondet_unsigned_char(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
unsigned int __VERIFIER_nondet_unsigned(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
__int128 __VERIFIER_nondet_int128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void);
__SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
signed char __VERIFIER_nondet_s8(void);
short __VERIFIER_nondet_s16(void);
int __VERIFIER_nondet_s32(void);
long long __VERIFIER_nondet_s64(void);
unsigned char __VERIFIER_nondet_u8(void);
unsigned short __VERIFIER_nondet_u16(void);
unsigned int __VERIFIER_nondet_u32(void);
unsigned int __VERIFIER_nondet_U32(void);
unsigned long long __VERIFIER_nondet_u64(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void *__VERIFIER_nondet_pointer(void);
char *__VERIFIER_nondet_pchar(void);
long long __VERIFIER_nondet_loff_t(void);
unsigned long __VERIFIER_nondet_pthread_t(void);
unsigned long __VERIFIER_nondet_sector_t(void);
/* A string of input: bytes, followed by a 0 that is not input. */
const char *__VERIFIER_nondet_string(void);
/* Makes `size` bytes at `address` input. */
void __VERIFIER_nondet_memory(void *address, __SIZE_TYPE__ size);

/* Only inputs for which `condition` is not 0 are explored further. */
void __VERIFIER_assume(int condition);

/* Two names of the error function, which must not be reached. */
void __VERIFIER_error(void) __attribute__((noreturn));
void reach_error(void);

/* There is one thread, so a critical section needs no lock. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifdef __cplusplus
}
#endif

#endif
