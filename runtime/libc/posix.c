/* System calls that musl has no function for, or that it makes in all threads. */
#define _GNU_SOURCE
#include "libc.h"
#include "replaceable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* It redefines a name of the header above. */
#include "syscall.h"

int __setxid(int number, int id, int effective, int saved) { return (int)syscall(number, id, effective, saved); }

/* Changing a link itself is not supported; anything else needs no detour by /proc. */
REPLACEABLE int fchmodat(int folder, const char *path, mode_t mode, int flags) {
  struct stat status;
  if (flags & ~AT_SYMLINK_NOFOLLOW) return errno = EINVAL, -1;
  if (flags && fstatat(folder, path, &status, flags)) return -1;
  if (flags && S_ISLNK(status.st_mode)) return errno = EOPNOTSUPP, -1;
  return (int)syscall(SYS_fchmodat, folder, path, mode);
}

/* What is to be done in all threads: there is one. */
void __synccall(void (*function)(void *), void *context) { function(context); }

/* The program's own header says what it writes. */
struct statx;
int statx(int, const char *restrict, int, unsigned, struct statx *restrict);

REPLACEABLE int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict result) {
  return (int)syscall(SYS_statx, folder, path, flags, mask, result);
}

int renameat2(int, const char *, int, const char *, unsigned);

REPLACEABLE int renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
  return (int)syscall(SYS_renameat2, old_folder, old, new_folder, new, flags);
}

uint32_t arc4random(void);
void arc4random_buf(void *, size_t);
uint32_t arc4random_uniform(uint32_t);

REPLACEABLE void arc4random_buf(void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    long count = syscall(SYS_getrandom, (char *)bytes + done, size - done, 0);
    if (count <= 0) break;
    done += (size_t)count;
  }
}

REPLACEABLE uint32_t arc4random(void) {
  uint32_t value = 0;
  arc4random_buf(&value, sizeof value);
  return value;
}

/* Each value takes one number, so that native runs agree. */
REPLACEABLE uint32_t arc4random_uniform(uint32_t bound) { return bound < 2 ? 0 : arc4random() % bound; }
