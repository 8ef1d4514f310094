/* Replaces musl's header of the same name: with one thread, plain operations are atomic. */
void abort(void) __attribute__((__noreturn__));

#define a_cas a_cas
static inline int a_cas(volatile int *p, int expected, int desired) {
  int old = *p;
  if (old == expected) *p = desired;
  return old;
}

#define a_cas_p a_cas_p
static inline void *a_cas_p(volatile void *p, void *expected, void *desired) {
  void *volatile *cell = (void *volatile *)p;
  void *old = *cell;
  if (old == expected) *cell = desired;
  return old;
}

#define a_swap a_swap
static inline int a_swap(volatile int *p, int v) {
  int old = *p;
  *p = v;
  return old;
}

#define a_fetch_add a_fetch_add
static inline int a_fetch_add(volatile int *p, int v) {
  int old = *p;
  *p = (int)((unsigned)old + (unsigned)v);
  return old;
}

#define a_and a_and
static inline void a_and(volatile int *p, int v) { *p &= v; }

#define a_or a_or
static inline void a_or(volatile int *p, int v) { *p |= v; }

#define a_and_64 a_and_64
static inline void a_and_64(volatile uint64_t *p, uint64_t v) { *p &= v; }

#define a_or_64 a_or_64
static inline void a_or_64(volatile uint64_t *p, uint64_t v) { *p |= v; }

#define a_inc a_inc
static inline void a_inc(volatile int *p) { a_fetch_add(p, 1); }

#define a_dec a_dec
static inline void a_dec(volatile int *p) { a_fetch_add(p, -1); }

#define a_store a_store
static inline void a_store(volatile int *p, int v) { *p = v; }

#define a_barrier a_barrier
static inline void a_barrier(void) {}

#define a_spin a_spin
static inline void a_spin(void) {}

#define a_crash a_crash
static inline void a_crash(void) { abort(); }

#define a_ctz_64 a_ctz_64
static inline int a_ctz_64(uint64_t v) { return __builtin_ctzll(v); }

#define a_clz_64 a_clz_64
static inline int a_clz_64(uint64_t v) { return __builtin_clzll(v); }
