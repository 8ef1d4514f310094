/* What is known of a file. */
#define _GNU_SOURCE
#include "world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* --- Inodes --------------------------------------------------------------------------------- */

uint64_t world_inode(dev_t device, ino_t inode) {
  static struct known { dev_t device; ino_t inode; } *known;
  static size_t count, room;
  for (size_t i = 0; i < count; i++)
    if (known[i].device == device && known[i].inode == inode) return i + 1;
  if (count == room) {
    room = room * 2 + 64;
    known = realloc(known, room * sizeof *known);
    if (known == NULL) abort();
  }
  known[count] = (struct known){device, inode};
  return ++count;
}

/* A time between the start of the test and now stands for the time of day that the machine shows; any other was
 * set by the program. */
static void set_time(struct timespec *time_of_file) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (time_of_file->tv_sec > now.tv_sec - 3600 && time_of_file->tv_sec <= now.tv_sec + 1)
    *time_of_file = (struct timespec){WORLD_NOW, 0};
}

void world_status(struct stat *status) {
  mode_t type = status->st_mode & S_IFMT;
  bool is_pipe = type == S_IFIFO;
  status->st_ino = world_inode(status->st_dev, status->st_ino);
  status->st_dev = is_pipe ? makedev(0, 13) : makedev(8, 1);
  status->st_uid = WORLD_USER;
  status->st_gid = WORLD_GROUP;
  status->st_blksize = 4096;
  if (type == S_IFDIR) status->st_size = 4096;
  if (type == S_IFCHR) {
    status->st_mode = S_IFCHR | 0666;
    status->st_nlink = 1;
    /* Both kinds of chance are the same device in the machine. */
    if (status->st_rdev == makedev(1, 8)) status->st_rdev = makedev(1, 9);
  }
  status->st_blocks = type == S_IFREG || type == S_IFDIR ? (status->st_size + 4095) / 4096 * 8 : 0;
  set_time(&status->st_mtim);
  set_time(&status->st_atim);
  status->st_ctim = (struct timespec){WORLD_NOW, 0};
  if (type == S_IFCHR || is_pipe) status->st_atim = status->st_mtim = status->st_ctim;
}

/* A folder has its name, its `.`, and the `..` of each folder in it; some file systems count otherwise. */
static void count_links(int folder, const char *path, struct stat *status) {
  if (!S_ISDIR(status->st_mode) || status->st_nlink == 0) return;
  int descriptor = openat(folder, *path == 0 ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 && *path == 0) return;
  DIR *list = descriptor < 0 ? NULL : fdopendir(descriptor);
  if (list == NULL) return;
  status->st_nlink = 0;
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    struct stat found;
    if (fstatat(dirfd(list), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(found.st_mode))
      status->st_nlink++;
  }
  closedir(list);
}

/* A link to an absolute path has the path of the system. */
static void measure_link(int folder, const char *path, struct stat *status) {
  char target[2 * PATH_MAX];
  if (!S_ISLNK(status->st_mode)) return;
  ssize_t length = readlinkat(folder, path, target, sizeof target - 1);
  if (length < 0) return;
  target[length] = 0;
  status->st_size = (off_t)strlen(world_inside(target));
}

int world_look(int folder, const char *path, struct stat *status, int flags) {
  int result = strcmp(path, "..") == 0 && world_leads_to_root(folder) ? fstatat(folder, ".", status, flags)
                                                                       : fstatat(folder, path, status, flags);
  const char *device = result == 0 ? world_device(status) : NULL;
  return device == NULL ? result : fstatat(AT_FDCWD, device, status, flags);
}

static int status_at(int folder, const char *path, struct stat *status, int flags) {
  struct real_path buffer;
  path = world_path_at(folder, path, &buffer);
  int result = world_look(folder, path, status, flags);
  if (result != 0) return result;
  int saved_errno = errno;
  count_links(folder, path, status);
  measure_link(folder, path, status);
  world_status(status);
  bool is_device = strncmp(path, "/dev/", 5) == 0;
  /* A pipe with a name of its own is a file. */
  if (S_ISFIFO(status->st_mode) && !is_device) status->st_dev = makedev(8, 1);
  /* The links to the streams are those of the system, and older than the test. */
  if (S_ISLNK(status->st_mode) && is_device) status->st_atim = status->st_mtim = status->st_ctim;
  errno = saved_errno;
  return 0;
}

int __secateur_fstatat(int folder, const char *path, struct stat *status, int flags) {
  return status_at(folder, path, status, flags);
}
int __secateur_fstatat64(int, const char *, struct stat *, int) ALIAS(__secateur_fstatat);

int __secateur_stat(const char *path, struct stat *status) { return status_at(AT_FDCWD, path, status, 0); }
int __secateur_stat64(const char *, struct stat *) ALIAS(__secateur_stat);

int __secateur_lstat(const char *path, struct stat *status) {
  return status_at(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
int __secateur_lstat64(const char *, struct stat *) ALIAS(__secateur_lstat);

int __secateur_fstat(int descriptor, struct stat *status) {
  int result = fstat(descriptor, status);
  if (result != 0) return result;
  int saved_errno = errno;
  count_links(descriptor, "", status);
  world_status(status);
  errno = saved_errno;
  return 0;
}
int __secateur_fstat64(int, struct stat *) ALIAS(__secateur_fstat);

static struct statx_timestamp timestamp(struct timespec from) {
  return (struct statx_timestamp){.tv_sec = from.tv_sec, .tv_nsec = (uint32_t)from.tv_nsec};
}

int __secateur_statx(int folder, const char *path, int flags, unsigned mask, struct statx *result) {
  struct stat status;
  (void)mask;
  if (status_at(folder, path, &status, flags & (AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW)) != 0) return -1;
  *result = (struct statx){
      .stx_mask = STATX_BASIC_STATS,
      .stx_blksize = (uint32_t)status.st_blksize,
      .stx_nlink = (uint32_t)status.st_nlink,
      .stx_uid = status.st_uid,
      .stx_gid = status.st_gid,
      .stx_mode = (uint16_t)status.st_mode,
      .stx_ino = status.st_ino,
      .stx_size = (uint64_t)status.st_size,
      .stx_blocks = (uint64_t)status.st_blocks,
      .stx_atime = timestamp(status.st_atim),
      .stx_ctime = timestamp(status.st_ctim),
      .stx_mtime = timestamp(status.st_mtim),
      .stx_rdev_major = major(status.st_rdev),
      .stx_rdev_minor = minor(status.st_rdev),
      .stx_dev_major = major(status.st_dev),
      .stx_dev_minor = minor(status.st_dev),
  };
  return 0;
}

/* --- Permissions ---------------------------------------------------------------------------- */

int world_may(int folder, const char *path, int wanted, int flags) {
  struct stat status;
  if (fstatat(folder, path, &status, flags) != 0) return -1;
  mode_t mode = S_ISCHR(status.st_mode) ? 0666 : status.st_mode;
  if (((int)(mode >> 6) & wanted) == wanted) return 0;
  errno = EACCES;
  return -1;
}

int __secateur_faccessat(int folder, const char *path, int wanted, int flags) {
  struct real_path buffer;
  if (wanted & ~7) {
    errno = EINVAL;
    return -1;
  }
  return world_may(folder, world_path_at(folder, path, &buffer), wanted, flags & AT_SYMLINK_NOFOLLOW);
}

int __secateur_access(const char *path, int wanted) { return __secateur_faccessat(AT_FDCWD, path, wanted, 0); }
int __secateur_eaccess(const char *, int) ALIAS(__secateur_access);
int __secateur_euidaccess(const char *, int) ALIAS(__secateur_access);

int __secateur_chmod(const char *path, mode_t mode) {
  struct real_path buffer;
  return chmod(world_path(path, &buffer), mode);
}

int __secateur_fchmodat(int folder, const char *path, mode_t mode, int flags) {
  struct real_path buffer;
  struct stat status;
  path = world_path_at(folder, path, &buffer);
  if (flags & ~AT_SYMLINK_NOFOLLOW) return errno = EINVAL, -1;
  if (flags != 0 && fstatat(folder, path, &status, flags) != 0) return -1;
  if (flags != 0 && S_ISLNK(status.st_mode)) return errno = EOPNOTSUPP, -1;
  return fchmodat(folder, path, mode, 0);
}

int __secateur_lchmod(const char *path, mode_t mode) {
  return __secateur_fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW);
}

/* An ordinary user can only give files to himself. */
static int owned(int found, uid_t user, gid_t group) {
  if (found != 0) return -1;
  if ((user == (uid_t)-1 || user == WORLD_USER) && (group == (gid_t)-1 || group == WORLD_GROUP)) return 0;
  errno = EPERM;
  return -1;
}

int __secateur_fchownat(int folder, const char *path, uid_t user, gid_t group, int flags) {
  struct real_path buffer;
  struct stat status;
  return owned(fstatat(folder, world_path_at(folder, path, &buffer), &status, flags), user, group);
}

int __secateur_chown(const char *path, uid_t user, gid_t group) {
  return __secateur_fchownat(AT_FDCWD, path, user, group, 0);
}

int __secateur_lchown(const char *path, uid_t user, gid_t group) {
  return __secateur_fchownat(AT_FDCWD, path, user, group, AT_SYMLINK_NOFOLLOW);
}

int __secateur_fchown(int descriptor, uid_t user, gid_t group) {
  struct stat status;
  return owned(fstat(descriptor, &status), user, group);
}

/* --- Times ---------------------------------------------------------------------------------- */

int __secateur_utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  struct real_path buffer;
  return utimensat(folder, world_path_at(folder, path, &buffer), times, flags);
}

int __secateur_utimes(const char *path, const struct timeval times[2]) {
  struct real_path buffer;
  return utimes(world_path(path, &buffer), times);
}

int __secateur_utime(const char *path, const struct utimbuf *times) {
  struct real_path buffer;
  return utime(world_path(path, &buffer), times);
}

/* --- The file system ------------------------------------------------------------------------ */

static int fill_statfs(int found, struct statfs *result) {
  if (found != 0) return -1;
  *result = (struct statfs){.f_type = 0xef53, .f_bsize = 4096,
                            .f_blocks = 1000000, .f_bfree = 500000,
                            .f_bavail = 500000, .f_files = 1000000, .f_ffree = 500000,
                            .f_namelen = 255, .f_frsize = 4096};
  return 0;
}

static int fill_statvfs(int found, struct statvfs *result) {
  if (found != 0) return -1;
  *result = (struct statvfs){.f_bsize = 4096, .f_frsize = 4096,
                             .f_blocks = 1000000, .f_bfree = 500000,
                             .f_bavail = 500000, .f_files = 1000000, .f_ffree = 500000,
                             .f_favail = 500000, .f_namemax = 255};
  return 0;
}

static int exists(const char *path) {
  struct real_path buffer;
  struct stat status;
  return stat(world_path(path, &buffer), &status);
}

static int is_open(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status);
}

int __secateur_statfs(const char *path, struct statfs *result) { return fill_statfs(exists(path), result); }
int __secateur_statfs64(const char *, struct statfs *) ALIAS(__secateur_statfs);
int __secateur_fstatfs(int descriptor, struct statfs *result) { return fill_statfs(is_open(descriptor), result); }
int __secateur_fstatfs64(int, struct statfs *) ALIAS(__secateur_fstatfs);
int __secateur_statvfs(const char *path, struct statvfs *result) { return fill_statvfs(exists(path), result); }
int __secateur_statvfs64(const char *, struct statvfs *) ALIAS(__secateur_statvfs);
int __secateur_fstatvfs(int descriptor, struct statvfs *result) { return fill_statvfs(is_open(descriptor), result); }
int __secateur_fstatvfs64(int, struct statvfs *) ALIAS(__secateur_fstatvfs);

/* --- Extended attributes, which the machine's disk does not have ------------------------------ */

static int without_attributes(const char *path, int flags) {
  struct real_path buffer;
  struct stat status;
  if (fstatat(AT_FDCWD, world_path(path, &buffer), &status, flags) == 0) errno = EOPNOTSUPP;
  return -1;
}

static int opened_without_attributes(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) == 0) errno = EOPNOTSUPP;
  return -1;
}

ssize_t __secateur_getxattr(const char *path, const char *name, void *value, size_t size) {
  return (void)name, (void)value, (void)size, without_attributes(path, 0);
}
ssize_t __secateur_lgetxattr(const char *path, const char *name, void *value, size_t size) {
  return (void)name, (void)value, (void)size, without_attributes(path, AT_SYMLINK_NOFOLLOW);
}
ssize_t __secateur_fgetxattr(int descriptor, const char *name, void *value, size_t size) {
  return (void)name, (void)value, (void)size, opened_without_attributes(descriptor);
}
int __secateur_setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  return (void)name, (void)value, (void)size, (void)flags, without_attributes(path, 0);
}
int __secateur_lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  return (void)name, (void)value, (void)size, (void)flags, without_attributes(path, AT_SYMLINK_NOFOLLOW);
}
int __secateur_fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags) {
  return (void)name, (void)value, (void)size, (void)flags, opened_without_attributes(descriptor);
}
ssize_t __secateur_listxattr(const char *path, char *list, size_t size) {
  return (void)list, (void)size, without_attributes(path, 0);
}
ssize_t __secateur_llistxattr(const char *path, char *list, size_t size) {
  return (void)list, (void)size, without_attributes(path, AT_SYMLINK_NOFOLLOW);
}
ssize_t __secateur_flistxattr(int descriptor, char *list, size_t size) {
  return (void)list, (void)size, opened_without_attributes(descriptor);
}
int __secateur_removexattr(const char *path, const char *name) {
  return (void)name, without_attributes(path, 0);
}
int __secateur_lremovexattr(const char *path, const char *name) {
  return (void)name, without_attributes(path, AT_SYMLINK_NOFOLLOW);
}
int __secateur_fremovexattr(int descriptor, const char *name) {
  return (void)name, opened_without_attributes(descriptor);
}
