// A program in the manner of the core utilities: it looks at files, copies, renames, removes and lists them.
//! args: --sym-file in 2 --sym-args 1 1 1
//! exits: 0 1 2 3
//! complete: yes
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int copy(const char *from, const char *to) {
  char buffer[16];
  int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (in < 0 || out < 0) return -1;
  ssize_t count;
  while ((count = read(in, buffer, sizeof buffer)) > 0)
    if (write(out, buffer, (size_t)count) != count) return -1;
  return close(in) | close(out);
}

static int names(const char *folder, char *all) {
  DIR *list = opendir(folder);
  if (list == NULL) return -1;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(list)) != NULL; count++) strcat(strcat(all, entry->d_name), " ");
  closedir(list);
  return count;
}

int main(int argc, char **argv) {
  struct stat before, after;
  if (stat("in", &before) != 0 || !S_ISREG(before.st_mode) || before.st_size != 2) return 90;
  if (stat("out", &after) != -1 || errno != ENOENT) return 91;
  if (copy("in", "out") != 0 || copy("in", "out") != -1 || errno != EEXIST) return 92;
  if (stat("out", &after) != 0 || after.st_size != 2 || after.st_mode != (S_IFREG | 0644)) return 93;
  if (after.st_ino == before.st_ino || after.st_dev != before.st_dev || after.st_nlink != 1) return 94;
  if (mkdir("folder", 0777) != 0 || rename("out", "folder/renamed") != 0 || link("in", "folder/another") != 0) return 95;
  char all[100] = "";
  if (names("folder", all) != 4 || strcmp(all, ". .. another renamed ") != 0) return 96;
  if (rmdir("folder") != -1 || errno != ENOTEMPTY || unlink("folder/another") != 0) return 97;
  if (chdir("folder") != 0 || access("renamed", R_OK) != 0 || access("../in", R_OK) != 0) return 98;
  FILE *f = fopen("renamed", "r");
  if (f == NULL || fgetc(f) == EOF) return 99;
  if (fgetc(f) == 'x') return 1;
  fclose(f);
  if (argv[1][0] == 'r' && unlink("renamed") == 0) return names(".", all) == 2 ? 2 : 80;
  if (argv[1][0] == 'l' && symlink("in", "renamed") != 0) return 3;
  return 0;
}
