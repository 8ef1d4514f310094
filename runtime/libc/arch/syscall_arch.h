/* Replaces musl's header of the same name: every system call of the C library becomes a call of one
 * function, which the machine implements. Nothing else leaves the program. */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

long __secateur_syscall(long n, long a, long b, long c, long d, long e, long f);

static __inline long __syscall0(long n) { return __secateur_syscall(n, 0, 0, 0, 0, 0, 0); }
static __inline long __syscall1(long n, long a) { return __secateur_syscall(n, a, 0, 0, 0, 0, 0); }
static __inline long __syscall2(long n, long a, long b) { return __secateur_syscall(n, a, b, 0, 0, 0, 0); }
static __inline long __syscall3(long n, long a, long b, long c) {
  return __secateur_syscall(n, a, b, c, 0, 0, 0);
}
static __inline long __syscall4(long n, long a, long b, long c, long d) {
  return __secateur_syscall(n, a, b, c, d, 0, 0);
}
static __inline long __syscall5(long n, long a, long b, long c, long d, long e) {
  return __secateur_syscall(n, a, b, c, d, e, 0);
}
static __inline long __syscall6(long n, long a, long b, long c, long d, long e, long f) {
  return __secateur_syscall(n, a, b, c, d, e, f);
}

#define IPC_64 0
