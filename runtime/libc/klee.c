/* What KLEE's interface asks of the C library. */
#include <errno.h>

int klee_get_errno(void);
int klee_get_errno(void) { return errno; }
