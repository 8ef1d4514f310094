/* The C library's own state as its start-up code would leave it. The machine starts programs at
 * their constructors and `main`, so everything here is initialised statically. */
#include "libc.h"
#include "pthread_impl.h"

static size_t no_auxiliary_vector[2];

struct __libc __libc = {
    .auxv = no_auxiliary_vector,
    .page_size = 4096,
};

struct __pthread __secateur_thread = {
    .self = &__secateur_thread,
    .prev = &__secateur_thread,
    .next = &__secateur_thread,
    .tid = 1,
    .detach_state = DT_JOINABLE,
    .robust_list.head = &__secateur_thread.robust_list.head,
    .locale = &__libc.global_locale,
};

volatile int __thread_list_lock;

size_t __hwcap;
size_t __sysinfo;
static char no_name[1];
char *__progname = no_name, *__progname_full = no_name;
weak_alias(__progname, program_invocation_short_name);
weak_alias(__progname_full, program_invocation_name);
