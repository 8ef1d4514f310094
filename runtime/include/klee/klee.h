/* The interface of KLEE, so that harnesses written for it run unchanged.
 *
 * Under `secateur run` these functions are built into the machine; in a native replay
 * replay.c defines them and takes the values from the test case. */
#ifndef SECATEUR_KLEE_H
#define SECATEUR_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Input --------------------------------------------------------------------------------- */

/* Makes the `size` bytes at `address` input. They must lie in one object. Each call adds one
 * object called `name` to the test case; a name may be used again. */
void klee_make_symbolic(void *address, size_t size, const char *name);

/* An `int` that is input. */
int klee_int(const char *name);

/* An `int` that is input and lies in [begin, end). An empty range is a bug. */
int klee_range(int begin, int end, const char *name);

/* An input in [0, count), called "klee_choose". Without a choice the path ends. */
uintptr_t klee_choose(uintptr_t count);

/* Makes the `size` bytes at a fixed address accessible. Not modelled: the path ends as unsupported. */
void klee_define_fixed_object(void *address, size_t size);

/* --- Conditions ---------------------------------------------------------------------------- */

/* Only inputs for which `condition` is not 0 are explored further. */
void klee_assume(uintptr_t condition);

/* Accepted for compatibility: a preference for values of the test case, with no effect on which
 * paths are explored. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* A failure of `condition` is a bug, also with NDEBUG. */
#define klee_assert(condition) \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

/* The C library's own function, declared here because <assert.h> hides it under NDEBUG, and with
 * the same promise, which C++ compares. */
#if defined __cplusplus && __cplusplus >= 201103L
#define SECATEUR_NOTHROW noexcept(true)
#elif defined __cplusplus
#define SECATEUR_NOTHROW throw()
#else
#define SECATEUR_NOTHROW
#endif
void __assert_fail(const char *assertion, const char *file, unsigned int line,
                   const char *function) SECATEUR_NOTHROW __attribute__((noreturn));

/* --- Ends of a path ------------------------------------------------------------------------ */

/* Ends the path without a verdict; no exit handlers run. */
void klee_silent_exit(int status) __attribute__((noreturn));

/* The same as abort(). */
void klee_abort(void) __attribute__((noreturn));

/* Ends the path with a bug at the given place. */
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
    __attribute__((noreturn));

/* --- Queries ------------------------------------------------------------------------------- */

/* 1 if `value` depends on input on this path, else 0; always 0 in a native replay. */
unsigned klee_is_symbolic(uintptr_t value);

/* 1 in a native replay, else 0. */
unsigned klee_is_replay(void);

/* The size in bytes of the object that starts at `address`. */
size_t klee_get_obj_size(void *address);

/* The value of the program's `errno`. */
int klee_get_errno(void);

/* The value that the argument has for the input being followed, as a constant; the path continues
 * for that value only. */
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);

/* A bug unless the `size` bytes at `address` may be accessed. */
void klee_check_memory_access(const void *address, size_t size);

/* --- Messages ------------------------------------------------------------------------------ */

void klee_warning(const char *message);
void klee_warning_once(const char *message);

/* Accepted for compatibility: messages about the value that follows. */
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *message, int value);

void klee_stack_trace(void);

/* --- Hints to the engine ------------------------------------------------------------------- */

/* Merging states is a hint; not merging is always sound, so these do nothing. */
void klee_open_merge(void);
void klee_close_merge(void);

/* Accepted for compatibility; without effect. */
void klee_mark_global(void *object);
void klee_set_forking(unsigned enable);

#ifdef __cplusplus
}
#endif

#endif
