// Walks over a tree of files, with and without the order of names.
//! args: --sym-file b/c 1 --sym-file b/a 1 --sym-file z 1
//! exits: 0 1
//! complete: yes
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include <fts.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int backwards(const FTSENT **a, const FTSENT **b) { return -strcmp((*a)->fts_name, (*b)->fts_name); }

static void walk(char *all, int (*order)(const FTSENT **, const FTSENT **)) {
  char *roots[] = {".", NULL};
  FTS *tree = fts_open(roots, FTS_PHYSICAL, order);
  for (FTSENT *entry; (entry = fts_read(tree)) != NULL;) {
    if (entry->fts_info == FTS_DP) continue;
    strcat(strcat(all, entry->fts_path), entry->fts_info == FTS_D ? "/ " : " ");
  }
  fts_close(tree);
}

int main(void) {
  char all[100] = "", other[100] = "", c;
  walk(all, NULL);
  walk(other, backwards);
  if (strcmp(all, "./ ./b/ ./b/a ./b/c ./z ") != 0) return 8;
  if (strcmp(other, "./ ./z ./b/ ./b/c ./b/a ") != 0) return 9;
  struct dirent **list;
  if (scandir("b", &list, NULL, alphasort) != 4 || strcmp(list[3]->d_name, "c") != 0) return 7;
  FILE *f = fopen(realpath("b/../b/c", NULL), "r");
  if (f == NULL || fread(&c, 1, 1, f) != 1) return 6;
  if (c == 'x') return 1;
  return 0;
}
