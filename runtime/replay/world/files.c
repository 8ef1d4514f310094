/* Opening files, and the names of files. */
#define _GNU_SOURCE
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

unsigned char world_random(uint64_t position) {
  /* SplitMix64: the words of the sequence whose seed is 0. */
  uint64_t word = (position / 8 + 1) * UINT64_C(0x9e3779b97f4a7c15);
  word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
  word ^= word >> 31;
  return (unsigned char)(word >> (position % 8 * 8));
}

/* A file with the bytes that the random device gives. */
static int open_random(int flags) {
  int descriptor = memfd_create("random", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
  if (descriptor < 0) return -1;
  unsigned char bytes[1 << 16];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = world_random(i);
  if (pwrite(descriptor, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) abort();
  return descriptor;
}

int world_open(int folder, const char *path, int flags, mode_t mode) {
  struct real_path buffer;
  path = world_path_at(folder, path, &buffer);
  if (path != NULL && strcmp(path, "/dev/tty") == 0) {
    errno = ENXIO;
    return -1;
  }
  if (path != NULL && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0))
    return open_random(flags);
  if ((flags & O_PATH) == 0 && (flags & O_TMPFILE) != O_TMPFILE) {
    static const int wanted[] = {R_OK, W_OK, R_OK | W_OK, R_OK | W_OK};
    int exclusive = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
    int saved_errno = errno;
    if (!exclusive && world_may(folder, path, wanted[flags & O_ACCMODE], 0) != 0 && errno == EACCES) return -1;
    errno = saved_errno;
  }
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  int descriptor = openat(folder, path, flags, mode);
  struct stat status;
  const char *device = descriptor >= 0 && fstat(descriptor, &status) == 0 ? world_device(&status) : NULL;
  if (device == NULL) return descriptor;
  close(descriptor);
  return world_open(AT_FDCWD, device, flags, mode);
}

static mode_t mode_of(int flags, va_list arguments) {
  return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

int __secateur_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return world_open(AT_FDCWD, path, flags, mode);
}
int __secateur_open64(const char *, int, ...) ALIAS(__secateur_open);

int __secateur_openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return world_open(folder, path, flags, mode);
}
int __secateur_openat64(int, const char *, int, ...) ALIAS(__secateur_openat);

/* What <fcntl.h> calls under _FORTIFY_SOURCE. */
int __secateur___open_2(const char *path, int flags) { return world_open(AT_FDCWD, path, flags, 0); }
int __secateur___open64_2(const char *, int) ALIAS(__secateur___open_2);
int __secateur___openat_2(int folder, const char *path, int flags) { return world_open(folder, path, flags, 0); }
int __secateur___openat64_2(int, const char *, int) ALIAS(__secateur___openat_2);

int __secateur_creat(const char *path, mode_t mode) {
  return world_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int __secateur_creat64(const char *, mode_t) ALIAS(__secateur_creat);

/* The flags of `open` for a mode of `fopen`; -1 if the C library should refuse it. */
static int flags_of(const char *mode) {
  int flags;
  switch (*mode) {
    case 'r': flags = 0; break;
    case 'w': flags = O_CREAT | O_TRUNC; break;
    case 'a': flags = O_CREAT | O_APPEND; break;
    default: return -1;
  }
  flags |= strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
  if (strchr(mode, 'x')) flags |= O_EXCL;
  if (strchr(mode, 'e')) flags |= O_CLOEXEC;
  return flags;
}

FILE *__secateur_fopen(const char *path, const char *mode) {
  int flags = flags_of(mode);
  if (flags == -1) return fopen(path, mode);
  int descriptor = world_open(AT_FDCWD, path, flags, 0666);
  if (descriptor < 0) return NULL;
  FILE *file = fdopen(descriptor, mode);
  if (file == NULL) close(descriptor);
  return file;
}
FILE *__secateur_fopen64(const char *, const char *) ALIAS(__secateur_fopen);

FILE *__secateur_setmntent(const char *path, const char *mode) { return __secateur_fopen(path, mode); }

ssize_t __secateur_copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t size,
                                   unsigned flags) {
  (void)from, (void)from_offset, (void)to, (void)to_offset, (void)size, (void)flags;
  errno = ENOSYS;
  return -1;
}

FILE *__secateur_freopen(const char *path, const char *mode, FILE *file) {
  struct real_path buffer;
  return freopen(world_path(path, &buffer), mode, file);
}
FILE *__secateur_freopen64(const char *, const char *, FILE *) ALIAS(__secateur_freopen);

int __secateur_truncate(const char *path, off_t size) {
  struct real_path buffer;
  path = world_path(path, &buffer);
  if (world_may(AT_FDCWD, path, W_OK, 0) != 0) return -1;
  return truncate(path, size);
}
int __secateur_truncate64(const char *, off_t) ALIAS(__secateur_truncate);

/* --- Names ---------------------------------------------------------------------------------- */

int __secateur_unlink(const char *path) {
  struct real_path buffer;
  return unlink(world_path(path, &buffer));
}

int __secateur_unlinkat(int folder, const char *path, int flags) {
  struct real_path buffer;
  if ((flags & AT_REMOVEDIR) && world_is_root(path)) return -1;
  return unlinkat(folder, world_path_at(folder, path, &buffer), flags);
}

int __secateur_remove(const char *path) {
  struct real_path buffer;
  return remove(world_path(path, &buffer));
}

int __secateur_renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
  struct real_path buffer, other;
  if (world_is_root(old)) return -1;
  if (world_is_root(new)) return errno = flags & RENAME_NOREPLACE ? EEXIST : EBUSY, -1;
  return renameat2(old_folder, world_path_at(old_folder, old, &buffer), new_folder,
                   world_path_at(new_folder, new, &other), flags);
}

int __secateur_renameat(int old_folder, const char *old, int new_folder, const char *new) {
  struct real_path buffer, other;
  if (world_is_root(old) || world_is_root(new)) return -1;
  return renameat(old_folder, world_path_at(old_folder, old, &buffer), new_folder,
                  world_path_at(new_folder, new, &other));
}

int __secateur_rename(const char *old, const char *new) { return __secateur_renameat(AT_FDCWD, old, AT_FDCWD, new); }

int __secateur_linkat(int old_folder, const char *old, int new_folder, const char *new, int flags) {
  struct real_path buffer, other;
  return linkat(old_folder, world_path_at(old_folder, old, &buffer), new_folder,
                world_path_at(new_folder, new, &other), flags);
}

int __secateur_link(const char *old, const char *new) { return __secateur_linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

/* An absolute target becomes one of the system, so that the system can follow it. */
int __secateur_symlinkat(const char *target, int folder, const char *path) {
  struct real_path buffer, other;
  const char *real = target != NULL && target[0] == '/' ? world_path(target, &other) : target;
  return symlinkat(real, folder, world_path_at(folder, path, &buffer));
}

int __secateur_symlink(const char *target, const char *path) { return __secateur_symlinkat(target, AT_FDCWD, path); }

ssize_t __secateur_readlinkat(int folder, const char *path, char *text, size_t size) {
  struct real_path buffer;
  char target[2 * PATH_MAX];
  if ((ssize_t)size <= 0) return readlinkat(folder, path, text, size);
  ssize_t length = readlinkat(folder, world_path_at(folder, path, &buffer), target, sizeof target - 1);
  if (length < 0) return -1;
  target[length] = 0;
  const char *inside = world_inside(target);
  size_t copied = strlen(inside) < size ? strlen(inside) : size;
  memcpy(text, inside, copied);
  return (ssize_t)copied;
}

ssize_t __secateur_readlink(const char *path, char *text, size_t size) {
  return __secateur_readlinkat(AT_FDCWD, path, text, size);
}

char *__secateur_realpath(const char *path, char *resolved) {
  struct real_path buffer;
  char *real = realpath(world_path(path, &buffer), NULL);
  if (real == NULL) return NULL;
  const char *inside = world_inside(real);
  char *result = resolved == NULL ? malloc(strlen(inside) + 1) : resolved;
  if (result != NULL) memmove(result, inside, strlen(inside) + 1);
  free(real);
  return result;
}

char *__secateur_canonicalize_file_name(const char *path) { return __secateur_realpath(path, NULL); }

/* --- Temporary files ------------------------------------------------------------------------ */

/* Replaces the X of a template; the C library of the machine chooses the same names. */
static int next_name(char *template, int suffix) {
  static unsigned number;
  size_t length = strlen(template);
  if (suffix < 0 || length < 6 || (size_t)suffix > length - 6 ||
      memcmp(template + length - suffix - 6, "XXXXXX", 6) != 0) {
    errno = EINVAL;
    return -1;
  }
  char *name = template + length - suffix - 6;
  unsigned rest = number++;
  for (int i = 5; i >= 0; i--, rest /= 26) name[i] = (char)('a' + rest % 26);
  return 0;
}

static int open_temporary(char *template, int suffix, int flags) {
  char original[PATH_MAX];
  if (strlen(template) >= sizeof original) return errno = ENAMETOOLONG, -1;
  strcpy(original, template);
  for (int attempt = 0; attempt < 100; attempt++) {
    strcpy(template, original);
    if (next_name(template, suffix) != 0) return -1;
    int descriptor = world_open(AT_FDCWD, template, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

int __secateur_mkstemp(char *template) { return open_temporary(template, 0, 0); }
int __secateur_mkstemp64(char *) ALIAS(__secateur_mkstemp);
int __secateur_mkostemp(char *template, int flags) { return open_temporary(template, 0, flags); }
int __secateur_mkostemp64(char *, int) ALIAS(__secateur_mkostemp);
int __secateur_mkstemps(char *template, int suffix) { return open_temporary(template, suffix, 0); }
int __secateur_mkstemps64(char *, int) ALIAS(__secateur_mkstemps);
int __secateur_mkostemps(char *template, int suffix, int flags) { return open_temporary(template, suffix, flags); }
int __secateur_mkostemps64(char *, int, int) ALIAS(__secateur_mkostemps);

char *__secateur_mkdtemp(char *template) {
  struct real_path buffer;
  char original[PATH_MAX];
  if (strlen(template) >= sizeof original) return errno = ENAMETOOLONG, NULL;
  strcpy(original, template);
  for (int attempt = 0; attempt < 100; attempt++) {
    strcpy(template, original);
    if (next_name(template, 0) != 0) return NULL;
    if (mkdir(world_path(template, &buffer), 0700) == 0) return template;
    if (errno != EEXIST) return NULL;
  }
  return NULL;
}

FILE *__secateur_tmpfile(void) {
  struct real_path buffer;
  char name[] = "/tmp/tmpfile_XXXXXX";
  int descriptor = open_temporary(name, 0, 0);
  if (descriptor < 0) return NULL;
  unlink(world_path(name, &buffer));
  return fdopen(descriptor, "w+");
}
FILE *__secateur_tmpfile64(void) ALIAS(__secateur_tmpfile);

/* --- Files of other kinds, and requests ------------------------------------------------------- */

int __secateur_mknodat(int folder, const char *path, mode_t mode, dev_t device) {
  struct real_path buffer;
  const char *real = world_path_at(folder, path, &buffer);
  struct stat status;
  /* Whoever runs the test may be allowed to make devices. */
  if (S_ISCHR(mode) || S_ISBLK(mode)) {
    if (fstatat(folder, real, &status, AT_SYMLINK_NOFOLLOW) == 0) return errno = EEXIST, -1;
    if (errno == ENOENT) errno = EPERM;
    return -1;
  }
  return mknodat(folder, real, mode, device);
}
int __secateur_mknod(const char *path, mode_t mode, dev_t device) {
  return __secateur_mknodat(AT_FDCWD, path, mode, device);
}
int __secateur_mkfifoat(int folder, const char *path, mode_t mode) {
  return __secateur_mknodat(folder, path, (mode & ~S_IFMT) | S_IFIFO, 0);
}
int __secateur_mkfifo(const char *path, mode_t mode) { return __secateur_mkfifoat(AT_FDCWD, path, mode); }

int __secateur_ioctl(int descriptor, unsigned long request, ...) {
  /* FICLONE and FICLONERANGE. */
  if (request == 0x40049409 || request == 0x4020940d) return errno = EOPNOTSUPP, -1;
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return ioctl(descriptor, request, argument);
}
