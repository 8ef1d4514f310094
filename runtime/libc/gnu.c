/* Small functions of glibc that musl lacks. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *pvalloc(size_t);
void *memfrob(void *, size_t);
int rpmatch(const char *);
long long strtoq(const char *restrict, char **restrict, int);
unsigned long long strtouq(const char *restrict, char **restrict, int);

enum { PAGE = 4096 };

REPLACEABLE void *pvalloc(size_t size) {
  if (size > (size_t)-1 - 2 * PAGE) {
    errno = ENOMEM;
    return 0;
  }
  return memalign(PAGE, (size + PAGE - 1) / PAGE * PAGE);
}

REPLACEABLE void *memfrob(void *memory, size_t size) {
  for (unsigned char *s = memory; size > 0; size--) *s++ ^= 42;
  return memory;
}

/* Yes, no or neither, by the first letter. */
REPLACEABLE int rpmatch(const char *answer) {
  if (*answer == 'y' || *answer == 'Y') return 1;
  return *answer == 'n' || *answer == 'N' ? 0 : -1;
}

REPLACEABLE long long strtoq(const char *restrict s, char **restrict end, int base) { return strtoll(s, end, base); }

REPLACEABLE unsigned long long strtouq(const char *restrict s, char **restrict end, int base) {
  return strtoull(s, end, base);
}
