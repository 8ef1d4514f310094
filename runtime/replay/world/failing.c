/* Calls that fail although nothing is wrong with them (`--fail-calls`). Calls of the program go to these functions
 * (crates/program/src/substitutes.rs), both in the machine (runtime/libc/failing.c) and natively: whether one fails,
 * and how, is input. The error numbers are those of the manual pages that do not depend on the arguments. */
#include "../../include/klee/klee.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many calls may fail. The program's module defines it. */
extern const unsigned __secateur_failures __attribute__((__weak__));

/* Whether a call fails: 0 or an error number. A symbolic index makes one path of all of them, until the program looks
 * at the number. */
static int failure(const char *name, const int *errors, unsigned count) {
  static unsigned failed;
  if (&__secateur_failures == NULL || failed >= __secateur_failures) return 0;
  int saved_errno = errno;
  unsigned char which;
  klee_make_symbolic(&which, sizeof which, name);
  klee_assume(which <= count);
  errno = saved_errno;
  if (which == 0) return 0;
  failed++;
  return errors[which - 1];
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A function that fails before it does anything. */
#define FAILS(result, name, failed, parameters, arguments, ...)                          \
  result __secateur_failing_##name parameters;                                            \
  REPLACEABLE result __secateur_failing_##name parameters {                               \
    static const int errors[] = {__VA_ARGS__};                                            \
    int error = failure("fail:" #name, errors, COUNT(errors));                            \
    if (error == 0) return WORLD(name) arguments;                                         \
    errno = error;                                                                        \
    return failed;                                                                        \
  }

/* A function that does what it should and fails nevertheless: its work may be lost, but is not undone. */
#define FAILS_AFTERWARDS(result, name, failed, parameters, arguments, ...)               \
  result __secateur_failing_##name parameters;                                            \
  REPLACEABLE result __secateur_failing_##name parameters {                               \
    static const int errors[] = {__VA_ARGS__};                                            \
    int error = failure("fail:" #name, errors, COUNT(errors));                            \
    result done = name arguments;                                                         \
    if (error == 0 || done != 0) return done;                                             \
    errno = error;                                                                        \
    return failed;                                                                        \
  }

/* --- Memory --------------------------------------------------------------------------------- */

#undef WORLD
#define WORLD(name) name

FAILS(void *, malloc, NULL, (size_t size), (size), ENOMEM)
FAILS(void *, calloc, NULL, (size_t count, size_t size), (count, size), ENOMEM)
FAILS(void *, realloc, NULL, (void *old, size_t size), (old, size), ENOMEM)
FAILS(void *, reallocarray, NULL, (void *old, size_t count, size_t size), (old, count, size), ENOMEM)
FAILS(void *, aligned_alloc, NULL, (size_t alignment, size_t size), (alignment, size), ENOMEM)
FAILS(char *, strdup, NULL, (const char *text), (text), ENOMEM)
FAILS(char *, strndup, NULL, (const char *text, size_t size), (text, size), ENOMEM)
FAILS(void *, mmap, MAP_FAILED, (void *at, size_t size, int protection, int flags, int file, off_t offset),
      (at, size, protection, flags, file, offset), ENOMEM, EAGAIN, ENFILE)

/* It returns its error. */
int __secateur_failing_posix_memalign(void **result, size_t alignment, size_t size);
REPLACEABLE int __secateur_failing_posix_memalign(void **result, size_t alignment, size_t size) {
  static const int errors[] = {ENOMEM};
  int error = failure("fail:posix_memalign", errors, COUNT(errors));
  return error != 0 ? error : posix_memalign(result, alignment, size);
}

/* --- Descriptors ---------------------------------------------------------------------------- */

FAILS(ssize_t, read, -1, (int file, void *bytes, size_t size), (file, bytes, size), EINTR, EIO)
FAILS(ssize_t, pread, -1, (int file, void *bytes, size_t size, off_t offset), (file, bytes, size, offset), EINTR, EIO)
FAILS(ssize_t, write, -1, (int file, const void *bytes, size_t size), (file, bytes, size), EINTR, EIO, ENOSPC, EDQUOT)
FAILS(ssize_t, pwrite, -1, (int file, const void *bytes, size_t size, off_t offset), (file, bytes, size, offset),
      EINTR, EIO, ENOSPC, EDQUOT)
FAILS(int, fsync, -1, (int file), (file), EINTR, EIO, ENOSPC, EDQUOT)
FAILS(int, fdatasync, -1, (int file), (file), EINTR, EIO, ENOSPC, EDQUOT)
FAILS(int, ftruncate, -1, (int file, off_t size), (file, size), EINTR, EIO)
FAILS(int, dup, -1, (int file), (file), EMFILE)
FAILS(int, pipe, -1, (int *ends), (ends), EMFILE, ENFILE)
/* The descriptor is closed in any case. */
FAILS_AFTERWARDS(int, close, -1, (int file), (file), EINTR, EIO, ENOSPC, EDQUOT)

/* --- Streams -------------------------------------------------------------------------------- */

FAILS(FILE *, fdopen, NULL, (int file, const char *mode), (file, mode), ENOMEM)
FAILS_AFTERWARDS(int, fflush, EOF, (FILE *file), (file), EINTR, EIO, ENOSPC, EDQUOT)
FAILS_AFTERWARDS(int, fclose, EOF, (FILE *file), (file), EINTR, EIO, ENOSPC, EDQUOT)

/* --- Names ---------------------------------------------------------------------------------- */

#undef WORLD
#define WORLD(name) SUBSTITUTED(name)

FAILS(FILE *, fopen, NULL, (const char *path, const char *mode), (path, mode), EACCES, EINTR, EMFILE, ENFILE, ENOMEM,
      ENOSPC, EROFS)
FAILS(FILE *, tmpfile, NULL, (void), (), EMFILE, ENFILE, ENOSPC, EROFS)
FAILS(int, mkstemp, -1, (char *template), (template), EACCES, EMFILE, ENFILE, ENOSPC, EROFS)
FAILS(int, creat, -1, (const char *path, mode_t mode), (path, mode), EACCES, EINTR, EMFILE, ENFILE, ENOMEM, ENOSPC,
      EROFS, EDQUOT)
FAILS(int, truncate, -1, (const char *path, off_t size), (path, size), EACCES, EINTR, EIO, EROFS)
FAILS(int, stat, -1, (const char *path, struct stat *status), (path, status), EACCES, ENOMEM)
FAILS(int, lstat, -1, (const char *path, struct stat *status), (path, status), EACCES, ENOMEM)
FAILS(int, fstat, -1, (int file, struct stat *status), (file, status), ENOMEM)
FAILS(int, chmod, -1, (const char *path, mode_t mode), (path, mode), EACCES, EIO, ENOMEM, EROFS)
FAILS(int, unlink, -1, (const char *path), (path), EACCES, EBUSY, EIO, ENOMEM, EROFS)
FAILS(int, remove, -1, (const char *path), (path), EACCES, EBUSY, EIO, ENOMEM, EROFS)
FAILS(int, rename, -1, (const char *old, const char *new), (old, new), EACCES, EBUSY, EDQUOT, ENOMEM, ENOSPC, EROFS)
FAILS(int, link, -1, (const char *old, const char *new), (old, new), EACCES, EDQUOT, EIO, ENOMEM, ENOSPC, EROFS)
FAILS(int, symlink, -1, (const char *target, const char *path), (target, path), EACCES, EDQUOT, EIO, ENOMEM, ENOSPC,
      EROFS)
FAILS(int, mkdir, -1, (const char *path, mode_t mode), (path, mode), EACCES, EDQUOT, ENOMEM, ENOSPC, EROFS)
FAILS(int, rmdir, -1, (const char *path), (path), EACCES, EBUSY, ENOMEM, EROFS)
FAILS(int, chdir, -1, (const char *path), (path), EACCES, EIO, ENOMEM)
FAILS(char *, getcwd, NULL, (char *text, size_t size), (text, size), EACCES, ENOMEM)
FAILS(DIR *, opendir, NULL, (const char *path), (path), EACCES, EMFILE, ENFILE, ENOMEM)

static const int open_errors[] = {EACCES, EINTR, EMFILE, ENFILE, ENOMEM, ENOSPC, EROFS, EDQUOT};

int __secateur_failing_open(const char *path, int flags, ...);
REPLACEABLE int __secateur_failing_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  int error = failure("fail:open", open_errors, COUNT(open_errors));
  if (error == 0) return WORLD(open)(path, flags, mode);
  errno = error;
  return -1;
}

int __secateur_failing_openat(int folder, const char *path, int flags, ...);
REPLACEABLE int __secateur_failing_openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  int error = failure("fail:openat", open_errors, COUNT(open_errors));
  if (error == 0) return WORLD(openat)(folder, path, flags, mode);
  errno = error;
  return -1;
}
