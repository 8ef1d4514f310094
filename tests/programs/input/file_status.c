// What stat, chmod, truncate, symbolic links and times say about a file.
//! args: --sym-file in 5
//! exits: 0 1
//! complete: yes
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct stat a, b;
  char text[100];
  if (getcwd(text, sizeof text) == NULL || strcmp(text, "/home/user") != 0) return 80;
  if (stat("in", &a) != 0 || a.st_ino != 1 || a.st_uid != getuid() || a.st_mtime != time(NULL)) return 81;
  if (symlink("/home/user/in", "way") != 0 || lstat("way", &b) != 0 || !S_ISLNK(b.st_mode) || b.st_size != 13) return 82;
  if (stat("way", &b) != 0 || b.st_ino != a.st_ino) return 83;
  if (readlink("way", text, 5) != 5 || memcmp(text, "/home", 5) != 0) return 84;
  if (chmod("way", 0400) != 0 || stat("in", &b) != 0 || b.st_mode != (S_IFREG | 0400)) return 85;
  if (open("in", O_WRONLY) != -1 || errno != EACCES || access("in", W_OK) != -1) return 86;
  if (chmod("in", 0600) != 0 || truncate("in", 2) != 0 || truncate("in", 4) != 0) return 87;
  if (umask(077) != 022 || mkdir("d", 0777) != 0 || mkdir("d/e", 0777) != 0) return 88;
  if (stat("d", &b) != 0 || b.st_mode != (S_IFDIR | 0700) || b.st_nlink != 3 || b.st_size != 4096) return 89;
  struct timespec times[2] = {{1000, 5}, {2000, 6}};
  if (utimensat(AT_FDCWD, "in", times, 0) != 0 || stat("in", &b) != 0) return 90;
  if (b.st_mtim.tv_sec != 2000 || b.st_mtim.tv_nsec != 6 || b.st_size != 4 || b.st_blocks != 8) return 91;
  if (unlink("way") != 0 || symlink("way", "way") != 0 || stat("way", &b) != -1 || errno != ELOOP) return 92;
  if (stat("in/x", &b) != -1 || errno != ENOTDIR || chown("in", 0, 0) != -1 || errno != EPERM) return 93;
  if (rename("d", "d/e/f") != -1 || errno != EINVAL || rename("in", "d") != -1 || errno != EISDIR) return 94;
  if (mkdir("in/", 0700) != -1 || errno != EEXIST || link("d/e", "in/") != -1 || errno != EEXIST) return 98;
  if (unlink("in/") != -1 || errno != ENOTDIR) return 99;
  if (fstat(1, &b) != 0 || !S_ISFIFO(b.st_mode) || isatty(1)) return 95;
  int file = open("in", O_RDWR);
  if (pwrite(file, "z", 1, 6) != 1 || pread(file, text, 100, 0) != 7) return 96;
  if (text[2] != 0 || text[3] != 0 || text[5] != 0 || text[6] != 'z') return 97;
  if (text[1] == 'y') return 1;
  return 0;
}
