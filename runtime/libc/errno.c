/* A variable that the machine finds by its name: its allocator sets errno. */
#include <errno.h>

int __secateur_errno;

int *__errno_location(void) { return &__secateur_errno; }

weak_alias(__errno_location, ___errno_location);
