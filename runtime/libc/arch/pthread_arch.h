/* Replaces musl's header of the same name: there is one thread, and its descriptor is a global
 * variable instead of what a segment register points to. */
extern struct __pthread __secateur_thread;

static inline uintptr_t __get_tp(void) { return (uintptr_t)&__secateur_thread; }

#define MC_PC gregs[REG_RIP]
