/* System calls that musl has no function for, or that it makes in all threads. */
#define _GNU_SOURCE
#include "libc.h"
#include "replaceable.h"

#include <stdio.h>
#include <unistd.h>

/* It redefines a name of the header above. */
#include "syscall.h"

int __setxid(int number, int id, int effective, int saved) { return (int)syscall(number, id, effective, saved); }

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
