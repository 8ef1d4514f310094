// Walks over files by nftw, ftw and glob.
//! args: --sym-file b/c 1 --sym-file b/a 1 --sym-file z 1
//! exits: 0 1
//! complete: yes
#define _GNU_SOURCE
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char seen[200];

static int visit(const char *path, const struct stat *status, int kind, struct FTW *where) {
  static const char *const kinds[] = {"file", "folder", "unreadable", "unknown", "link", "folder-end", "dangling"};
  char text[60];
  snprintf(text, sizeof text, "%s:%s%d%d ", path + where->base, kinds[kind], where->level, (int)status->st_size & 1);
  strcat(seen, text);
  return 0;
}

static int skip(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)status, (void)where;
  strcat(strcat(seen, path), " ");
  return kind == FTW_D && strcmp(path, "./b") == 0 ? FTW_SKIP_SUBTREE : FTW_CONTINUE;
}

static int count, files;

static int plain(const char *path, const struct stat *status, int kind) {
  (void)path, (void)status;
  count++;
  files += kind == FTW_F;
  return strcmp(path, "z") == 0 ? 5 : 0;
}

int main(void) {
  glob_t found;
  if (symlink("nowhere", "b/d") != 0) return 2;
  if (nftw(".//", visit, 9, FTW_PHYS) != 0) return 3;
  if (strcmp(seen, ".:folder00 b:folder10 a:file21 c:file21 d:link21 z:file11 ") != 0) return 4;
  seen[0] = 0;
  if (nftw("b", visit, 9, FTW_DEPTH) != 0) return 5;
  if (strcmp(seen, "a:file11 c:file11 d:dangling11 b:folder-end00 ") != 0) return 6;
  seen[0] = 0;
  if (nftw(".", skip, 9, FTW_PHYS | FTW_ACTIONRETVAL) != 0 || strcmp(seen, ". ./b ./z ") != 0) return 7;
  if (nftw("missing", visit, 9, 0) != -1 || ftw(".", plain, 3) != 0 || count != 6 || files != 3) return 8;
  if (ftw("z", plain, 3) != 5) return 9;
  if (glob("*/[ac]", 0, NULL, &found) != 0 || found.gl_pathc != 2) return 10;
  if (strcmp(found.gl_pathv[0], "b/a") != 0 || strcmp(found.gl_pathv[1], "b/c") != 0) return 11;
  if (glob("no*", 0, NULL, &found) != GLOB_NOMATCH) return 12;
  FILE *file = fopen("z", "r");
  if (file != NULL && fgetc(file) == 'x') return 1;
  return 0;
}
