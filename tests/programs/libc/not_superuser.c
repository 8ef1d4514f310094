// What an ordinary user cannot do, and other programs that cannot be started.
//! args: --sym-stdin 1
//! exits: 0 1
//! complete: yes
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

static int fails(int result, int error) { return result == -1 && errno == error; }

int main(void) {
  struct stat status;
  char name[50], *const arguments[] = {"a", NULL};
  gid_t groups[3];
  uid_t real, effective, saved;
  int count = 3;
  if (mkfifo("queue", 0666) != 0 || stat("queue", &status) != 0 || !S_ISFIFO(status.st_mode)) return 2;
  if ((status.st_mode & 0777) != 0644 || !fails(mkfifo("queue", 0600), EEXIST)) return 3;
  if (!fails(mknod("device", S_IFCHR | 0600, 259), EPERM) || mknod("plain", S_IFREG | 0600, 0) != 0) return 4;
  if (chmod("queue", 0600) != 0 || lstat("queue", &status) != 0 || status.st_uid != getuid()) return 5;
  if (!fails(chroot("."), EPERM) || !fails(chroot("plain"), ENOTDIR) || !fails(chroot("no"), ENOENT)) return 6;
  if (!fails(execlp("missing", "missing", (char *)NULL), ENOENT) || !fails(execv("plain", arguments), EACCES)) return 7;
  if (!fails(execvp("no/such", arguments), ENOENT) || !fails(execve("", arguments, environ), ENOENT)) return 8;
  if (nice(5) != 5 || getpriority(PRIO_PROCESS, 0) != 5 || nice(100) != 19 || !fails(nice(-1), EPERM)) return 9;
  if (!fails(setpriority(PRIO_PROCESS, 0, 3), EACCES) || !fails(setpriority(PRIO_PROCESS, 1, 3), ESRCH)) return 10;
  if (setresuid(-1, getuid(), -1) != 0 || !fails(setreuid(0, -1), EPERM) || !fails(setegid(5), EPERM)) return 11;
  if (getresuid(&real, &effective, &saved) != 0 || real != 1000 || effective != 1000 || saved != 1000) return 12;
  if (!fails(setgroups(0, NULL), EPERM) || !fails(sethostname("x", 1), EPERM)) return 13;
  if (getgrouplist("user", 1000, groups, &count) != 1 || count != 1 || groups[0] != 1000) return 14;
  if (getgrouplist("user", 5, groups, &count) != -1 || count != 2 || getgrouplist("user", 5, groups, &count) != 2) return 15;
  if (!fails((int)getxattr("plain", "user.a", name, 9), EOPNOTSUPP) || !fails((int)listxattr("no", 0, 0), ENOENT)) return 16;
  if (!fails(ioctl(0, 0x40049409, 1), EOPNOTSUPP) || getlogin() != NULL) return 17;
  if (!fails(rename("/", "new"), EBUSY) || !fails(rmdir("/"), EBUSY) || !fails(unlink("/"), EISDIR)) return 18;
  char *path = canonicalize_file_name("./plain");
  if (path == NULL || strcmp(path, "/home/user/plain") != 0) return 19;
  if (read(0, name, 1) == 1 && name[0] == 'x') return 1;
  return 0;
}
