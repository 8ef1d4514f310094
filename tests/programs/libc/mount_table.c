// Tables of mounted disks: missing fields, comments, blanks within a field, options with values.
//! args: --sym-stdin 2
//! exits: 0 1 2
//! complete: yes
#include <mntent.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  struct mntent *entry, own = {"a b", "/x\\y", "ext4", "ro,size=5,usr", 1, 2};
  char line[200], all[400] = "";
  FILE *table = fopen("table", "w+");
  fputs("# comment\n\n  /dev/a\t/  ext4 rw,user=3,us 1 2 \nnone /p\\040q proc\nx\n/dev/z /a\\134\\\\b auto ignore 7\n", table);
  fputs("auto /h autofs rw,ignore 0 0\n", table);
  if (addmntent(table, &own) != 0) return 3;
  int read = fread(line, 1, 3, stdin);
  fwrite(line, 1, (size_t)read, table);
  rewind(table);
  while ((entry = getmntent(table)) != NULL) {
    snprintf(line, sizeof line, "%s|%s|%s|%s|%d%d%d\n", entry->mnt_fsname, entry->mnt_dir, entry->mnt_type,
             entry->mnt_opts, entry->mnt_freq, entry->mnt_passno, hasmntopt(entry, "us") != NULL);
    if (strncmp(line, "/dev/a|/|ext4|rw,user=3,us|121\n", 30) == 0 && strstr(hasmntopt(entry, "user"), "=3") == NULL) return 4;
    if (strchr(line, '#') == NULL && strlen(all) < 105) strcat(all, line);
    else if (strncmp(entry->mnt_fsname, "ab", 2) == 0) return 1;
    else return 2;
  }
  static const char expected[] = "/dev/a|/|ext4|rw,user=3,us|121\nnone|/p q|proc||000\nx||||000\n/dev/z|/a\\\\b|auto|ignore|700\n"
                                 "a b|/x\\y|ext4|ro,size=5,usr|120\n";
  return strcmp(all, expected) == 0 ? 0 : 5;
}
