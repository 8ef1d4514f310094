// System calls on names, which are input: what they return, and how they fail, is the same natively.
// One level will do: each of the many paths is a native run, and no answer depends on the optimiser.
//! levels: O0
//! args: --sym-file b 1 --sym-file d/e 1
//! exits: 0
//! complete: yes
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

volatile int seen;

static void observe(long result) {
  if (result == -1) {
    switch (errno) {
      case ENOENT: seen = 1; break;
      case EEXIST: seen = 2; break;
      case ENOTDIR: seen = 3; break;
      case EISDIR: seen = 4; break;
      case ENOTEMPTY: seen = 5; break;
      case EBUSY: seen = 6; break;
      case EINVAL: seen = 7; break;
      case ELOOP: seen = 8; break;
      case EPERM: seen = 9; break;
      case EACCES: seen = 10; break;
      default: seen = 11;
    }
  } else if (result == 0) {
    seen = 12;
  } else if (result == 1) {
    seen = 13;
  }
}

int main(void) {
  static const char *const names[] = {"b", "d", "new", "", "d/e", "b/x", "no/x", ".", "d/..", "b/", "d/", "/", "link", "loop"};
  char target[20];
  struct stat status;
  int call = klee_range(0, 18, "call"), name = klee_range(0, 14, "name");
  if (symlink("d/e", "link") != 0 || symlink("loop", "loop") != 0) return 1;
  const char *path = names[name];
  switch (call) {
    case 0: observe(open(path, O_RDONLY) < 0 ? -1 : 0); break;
    case 1: observe(open(path, O_RDWR | O_CREAT | O_EXCL, 0600) < 0 ? -1 : 0); break;
    case 2: observe(open(path, O_WRONLY | O_TRUNC) < 0 ? -1 : 0); break;
    case 3: observe(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) < 0 ? -1 : 0); break;
    case 4: observe(stat(path, &status)); break;
    case 5: observe(lstat(path, &status) == 0 ? S_ISLNK(status.st_mode) : -1); break;
    case 6: observe(access(path, X_OK)); break;
    case 7: observe(mkdir(path, 0700)); break;
    case 8: observe(rmdir(path)); break;
    case 9: observe(unlink(path)); break;
    case 10: observe(rename(path, "moved")); break;
    case 11: observe(rename("b", path)); break;
    case 12: observe(link(path, "second")); break;
    case 13: observe(symlink("b", path)); break;
    case 14: observe(readlink(path, target, sizeof target) < 0 ? -1 : 0); break;
    case 15: observe(truncate(path, 5)); break;
    case 16: observe(chmod(path, 0700)); break;
    case 17: observe(chdir(path)); break;
  }
  // What is left is the same.
  DIR *folder = opendir(".");
  int entries = 0;
  while (folder != NULL && readdir(folder) != NULL) entries++;
  switch (entries) {
    case 4: seen = 20; break;
    case 5: seen = 21; break;
    case 6: seen = 22; break;
    case 7: seen = 23; break;
    default: seen = 24;
  }
  observe(stat("b", &status) == 0 ? status.st_nlink - 1 : -1);
  return 0;
}
