/* glob(): the C library's own, on the folders that the program sees. */
#define _GNU_SOURCE
#include "world.h"

#include <dirent.h>
#include <glob.h>

DIR *__secateur_opendir(const char *path);
struct dirent *__secateur_readdir(DIR *folder);
int __secateur_closedir(DIR *folder);
int __secateur_stat(const char *path, struct stat *status);
int __secateur_lstat(const char *path, struct stat *status);

static void *open_listing(const char *path) { return __secateur_opendir(path); }
static struct dirent *read_listing(void *folder) { return __secateur_readdir(folder); }
static void close_listing(void *folder) { __secateur_closedir(folder); }

int __secateur_glob(const char *pattern, int flags, int (*error)(const char *, int), glob_t *list) {
  if (flags & GLOB_ALTDIRFUNC) return glob(pattern, flags, error, list);
  list->gl_opendir = open_listing;
  list->gl_readdir = read_listing;
  list->gl_closedir = close_listing;
  list->gl_stat = __secateur_stat;
  list->gl_lstat = __secateur_lstat;
  int result = glob(pattern, flags | GLOB_ALTDIRFUNC, error, list);
  list->gl_flags &= ~GLOB_ALTDIRFUNC;
  return result;
}
int __secateur_glob64(const char *, int, int (*)(const char *, int), glob_t *) ALIAS(__secateur_glob);
