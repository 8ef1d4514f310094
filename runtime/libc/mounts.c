/* <mntent.h>, as in glibc: lines may lack their last fields, and blanks within one are written as numbers. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <mntent.h>
#include <stdio.h>
#include <string.h>

REPLACEABLE FILE *setmntent(const char *path, const char *mode) { return fopen(path, mode); }

REPLACEABLE int endmntent(FILE *file) {
  if (file) fclose(file);
  return 1;
}

/* What is written otherwise within a field. */
static const struct {
  char character;
  const char *code;
} codes[] = {{' ', "\\040"}, {'\t', "\\011"}, {'\n', "\\012"}, {'\\', "\\134"}, {'\\', "\\\\"}};

enum { CODES = sizeof codes / sizeof *codes };

/* Takes the next field from a line, and moves on to the one behind it; an empty text if there is none. */
static char *take_field(char **line) {
  char *field = strsep(line, " \t");
  if (!field) return "";
  if (*line) *line += strspn(*line, " \t");
  char *to = field;
  for (const char *from = field; *from; to++) {
    int code = 0;
    while (code < CODES && strncmp(from, codes[code].code, strlen(codes[code].code)) != 0) code++;
    *to = code < CODES ? codes[code].character : *from;
    from += code < CODES ? strlen(codes[code].code) : 1;
  }
  *to = 0;
  return field;
}

/* Reads lines until one is neither empty nor a comment; where it begins, or NULL. What does not fit is dropped. */
static char *next_line(FILE *file, char *line, int size) {
  for (;;) {
    if (!fgets(line, size, file)) return NULL;
    char *end = strchr(line, '\n');
    if (end) {
      while (end > line && (end[-1] == ' ' || end[-1] == '\t')) end--;
      *end = 0;
    } else {
      for (int c = 0; c != EOF && c != '\n';) c = getc(file);
    }
    char *start = line + strspn(line, " \t");
    if (*start && *start != '#') return start;
  }
}

REPLACEABLE struct mntent *getmntent_r(FILE *file, struct mntent *entry, char *line, int size) {
  do {
    char *rest = next_line(file, line, size);
    if (!rest) return NULL;
    entry->mnt_fsname = take_field(&rest);
    entry->mnt_dir = take_field(&rest);
    entry->mnt_type = take_field(&rest);
    entry->mnt_opts = take_field(&rest);
    int numbers = rest ? sscanf(rest, " %d %d ", &entry->mnt_freq, &entry->mnt_passno) : 0;
    if (numbers < 1) entry->mnt_freq = 0;
    if (numbers < 2) entry->mnt_passno = 0;
  } while (strcmp(entry->mnt_type, "autofs") == 0 && hasmntopt(entry, "ignore"));
  return entry;
}

REPLACEABLE struct mntent *getmntent(FILE *file) {
  static struct mntent entry;
  static char line[4096];
  return getmntent_r(file, &entry, line, sizeof line);
}

static void write_field(FILE *file, const char *field) {
  for (; *field; field++) {
    int code = 0;
    while (code < CODES && codes[code].character != *field) code++;
    if (code < CODES) fputs(codes[code].code, file);
    else putc(*field, file);
  }
  putc(' ', file);
}

REPLACEABLE int addmntent(FILE *file, const struct mntent *entry) {
  if (fseek(file, 0, SEEK_END)) return 1;
  write_field(file, entry->mnt_fsname);
  write_field(file, entry->mnt_dir);
  write_field(file, entry->mnt_type);
  write_field(file, entry->mnt_opts);
  return fprintf(file, "%d %d\n", entry->mnt_freq, entry->mnt_passno) < 0 || fflush(file) != 0;
}

/* An option counts as a whole, alone or in front of a value. */
REPLACEABLE char *hasmntopt(const struct mntent *entry, const char *option) {
  size_t length = strlen(option);
  for (char *at = entry->mnt_opts, *found; (found = strstr(at, option)) != NULL; at++) {
    char before = found == entry->mnt_opts ? ',' : found[-1], after = found[length];
    if (before == ',' && (after == 0 || after == ',' || after == '=')) return found;
    at = strchr(found, ',');
    if (!at) break;
  }
  return NULL;
}
