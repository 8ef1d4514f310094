// The root, whose parent is itself, and the devices, however they are found.
//! args: --sym-stdin 1
//! exits: 0 1
//! complete: yes
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char names[100] = "", first = 0, zero = 1;
  struct stat status, parent;
  ino_t here = 0, above = 1;
  DIR *root = opendir("/");
  for (struct dirent *entry; (entry = readdir(root)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0) here = entry->d_ino;
    if (strcmp(entry->d_name, "..") == 0) above = entry->d_ino;
  }
  if (here != above) return 2;
  if (chdir("/dev") != 0) return 3;
  DIR *devices = opendir(".");
  for (struct dirent *entry; (entry = readdir(devices)) != NULL;) strcat(strcat(names, entry->d_name), " ");
  if (strcmp(names, ". .. full null random stderr stdin stdout tty urandom zero ") != 0) return 4;
  if (stat("null", &status) != 0 || !S_ISCHR(status.st_mode) || stat("/dev/null", &parent) != 0) return 5;
  if (status.st_ino != parent.st_ino || status.st_rdev != parent.st_rdev) return 6;
  int file = openat(dirfd(devices), "zero", O_RDONLY);
  if (file < 0 || read(file, &zero, 1) != 1 || zero != 0) return 7;
  if (lstat("stdin", &status) != 0 || !S_ISLNK(status.st_mode) || status.st_size != 15) return 8;
  if (lstat("/dev/stdin", &status) != 0 || status.st_mtime != 1700000000) return 12;
  if (stat("stdin", &status) != 0 || S_ISLNK(status.st_mode)) return 9;
  if (readlink("/dev/stdout", names, sizeof names) != 15 || memcmp(names, "/proc/self/fd/1", 15) != 0) return 10;
  if (fchmodat(AT_FDCWD, "/home/user", 0700, AT_SYMLINK_NOFOLLOW) != 0) return 11;
  if (read(0, &first, 1) == 1 && first == 'x') return 1;
  return 0;
}
