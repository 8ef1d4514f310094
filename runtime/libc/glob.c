/* glob, with GNU's alternatives in braces, and with what glibc says of the pattern in gl_flags. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The numbers of glibc's header. */
enum { MAGIC_FOUND = 0x100, BRACE = 0x400, NO_MAGIC = 0x800, ALTERNATIVE_FUNCTIONS = 0x200, ONLY_FOLDERS = 0x2000 };

/* Defined nowhere, so that calling it ends the path as unsupported. */
void __secateur_glob_with_functions(void);

/* Where the text behind an opening brace or a comma ends: at the comma or closing brace of the same level. */
static const char *end_of_alternative(const char *s, int flags) {
  for (int depth = 0; *s; s++) {
    if (*s == '\\' && s[1] && !(flags & GLOB_NOESCAPE)) s++;
    else if ((*s == '}' && depth-- == 0) || (*s == ',' && depth == 0)) return s;
    else if (*s == '{') depth++;
  }
  return 0;
}

/* The first brace that is not escaped. */
static const char *find_brace(const char *s, int flags) {
  for (; *s && *s != '{'; s++)
    if (*s == '\\' && s[1] && !(flags & GLOB_NOESCAPE)) s++;
  return *s ? s : 0;
}

/* As glibc sees it: an escape counts, and so does a bracket that is closed. */
static int has_magic(const char *s, int flags) {
  int open = 0;
  for (; *s; s++) {
    if (*s == '*' || *s == '?' || (*s == ']' && open) || (*s == '\\' && !(flags & GLOB_NOESCAPE))) return 1;
    if (*s == '[') open = 1;
  }
  return 0;
}

static int expand(const char *pattern, const char *brace, const char *last, int flags,
                  int (*error)(const char *, int), glob_t *list) {
  size_t before = (size_t)(brace - pattern), after = strlen(last + 1);
  char *one = malloc(strlen(pattern) + 1);
  if (!one) return GLOB_NOSPACE;
  memcpy(one, pattern, before);
  int result = 0;
  for (const char *start = brace; start != last && (result == 0 || result == GLOB_NOMATCH);) {
    const char *end = end_of_alternative(start + 1, flags);
    size_t length = (size_t)(end - start - 1);
    memcpy(one + before, start + 1, length);
    memcpy(one + before + length, last + 1, after + 1);
    result = glob(one, (flags & ~(GLOB_NOCHECK | NO_MAGIC)) | GLOB_APPEND, error, list);
    start = end;
  }
  free(one);
  return result;
}

/* --- One pattern ----------------------------------------------------------------------------- */

struct search {
  int flags, (*error)(const char *, int);
  glob_t *list;
  char path[PATH_MAX];
};

static int add(struct search *search, const char *path, int mark) {
  glob_t *list = search->list;
  size_t used = list->gl_offs + list->gl_pathc, length = strlen(path);
  char **grown = realloc(list->gl_pathv, (used + 2) * sizeof *grown);
  if (!grown) return GLOB_NOSPACE;
  list->gl_pathv = grown;
  char *copy = malloc(length + 2);
  if (!copy) return GLOB_NOSPACE;
  memcpy(copy, path, length + 1);
  if (mark && length > 0 && path[length - 1] != '/') strcpy(copy + length, "/");
  grown[used] = copy;
  grown[used + 1] = 0;
  list->gl_pathc++;
  return 0;
}

/* Adds the path if there is such a file. */
static int add_existing(struct search *search) {
  struct stat status;
  if (lstat(search->path, &status)) return 0;
  int mark = (search->flags & GLOB_MARK) && !stat(search->path, &status) && S_ISDIR(status.st_mode);
  return add(search, search->path, mark);
}

static int search_in(struct search *search, size_t length, const char *pattern);

static int search_folder(struct search *search, size_t length, const char *name, const char *rest) {
  search->path[length] = 0;
  DIR *folder = opendir(length ? search->path : ".");
  if (!folder) {
    int stops = errno != ENOTDIR &&
                ((search->error && search->error(search->path, errno)) || (search->flags & GLOB_ERR));
    return stops ? GLOB_ABORTED : 0;
  }
  int rules = (search->flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0) | (search->flags & GLOB_PERIOD ? 0 : FNM_PERIOD);
  int result = 0;
  for (struct dirent *entry; result == 0 && (entry = readdir(folder));) {
    int may_be_folder = entry->d_type == DT_DIR || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;
    if ((*rest || (search->flags & ONLY_FOLDERS)) && !may_be_folder) continue;
    if (length + strlen(entry->d_name) + 1 >= PATH_MAX || fnmatch(name, entry->d_name, rules)) continue;
    strcpy(search->path + length, entry->d_name);
    result = search_in(search, strlen(search->path), rest);
  }
  closedir(folder);
  return result;
}

/* Finds what begins with the first part of the path and goes on as the pattern says. */
static int search_in(struct search *search, size_t length, const char *pattern) {
  while (*pattern == '/' && length + 1 < PATH_MAX) search->path[length++] = *pattern++;
  search->path[length] = 0;
  if (!*pattern) return add_existing(search);
  size_t size = strcspn(pattern, "/");
  char *name = strndup(pattern, size);
  if (!name) return GLOB_NOSPACE;
  int result = 0;
  if (has_magic(name, search->flags | GLOB_NOESCAPE)) {
    result = search_folder(search, length, name, pattern + size);
  } else if (length + size < PATH_MAX) {
    for (const char *s = name; *s; s++) {
      if (*s == '\\' && s[1] && !(search->flags & GLOB_NOESCAPE)) s++;
      search->path[length++] = *s;
    }
    result = search_in(search, length, pattern + size);
  }
  free(name);
  return result;
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The home folder in the place of a tilde; NULL if there is no such user. */
static char *without_tilde(const char *pattern) {
  size_t size = strcspn(pattern, "/");
  const char *home = size == 1 ? getenv("HOME") : 0;
  if (!home || !*home) {
    char *user = size == 1 ? 0 : strndup(pattern + 1, size - 1);
    struct passwd *entry = user ? getpwnam(user) : getpwuid(getuid());
    free(user);
    if (!entry) return 0;
    home = entry->pw_dir;
  }
  char *whole = malloc(strlen(home) + strlen(pattern + size) + 1);
  return whole ? strcat(strcpy(whole, home), pattern + size) : 0;
}

static int glob_plainly(const char *pattern, int flags, int (*error)(const char *, int), glob_t *list) {
  int magic = has_magic(pattern, flags);
  if (!(flags & GLOB_APPEND)) {
    list->gl_pathc = 0;
    list->gl_pathv = 0;
    if (!(flags & GLOB_DOOFFS)) list->gl_offs = 0;
    else if (!(list->gl_pathv = calloc(list->gl_offs + 1, sizeof(char *)))) return GLOB_NOSPACE;
  }
  char *expanded = (flags & (GLOB_TILDE | GLOB_TILDE_CHECK)) && *pattern == '~' ? without_tilde(pattern) : 0;
  if ((flags & GLOB_TILDE_CHECK) && *pattern == '~' && !expanded) return GLOB_NOMATCH;
  struct search search = {.flags = flags, .error = error, .list = list};
  size_t first = list->gl_pathc;
  int result = *pattern ? search_in(&search, 0, expanded ? expanded : pattern) : 0;
  free(expanded);
  if (result != 0) return result;
  if (list->gl_pathc == first) {
    if (!(flags & GLOB_NOCHECK) && (magic || !(flags & NO_MAGIC))) return GLOB_NOMATCH;
    result = add(&search, pattern, 0);
  } else if (!(flags & GLOB_NOSORT)) {
    qsort(list->gl_pathv + list->gl_offs + first, list->gl_pathc - first, sizeof(char *), compare);
  }
  /* gl_flags in glibc's header. */
  list->__dummy1 = flags | (magic ? MAGIC_FOUND : GLOB_NOCHECK);
  return result;
}

REPLACEABLE int glob(const char *restrict pattern, int flags, int (*error)(const char *, int), glob_t *restrict list) {
  if (flags & ALTERNATIVE_FUNCTIONS) __secateur_glob_with_functions();
  const char *brace = flags & BRACE ? find_brace(pattern, flags) : 0, *last = brace;
  while (last && (last = end_of_alternative(last + 1, flags)) && *last != '}');
  if (!last) return glob_plainly(pattern, brace ? flags & ~BRACE : flags, error, list);
  if (!(flags & GLOB_APPEND)) {
    list->gl_pathc = 0;
    list->gl_pathv = 0;
    if (!(flags & GLOB_DOOFFS)) list->gl_offs = 0;
    else if (!(list->gl_pathv = calloc(list->gl_offs + 1, sizeof(char *)))) return GLOB_NOSPACE;
  }
  size_t first = list->gl_pathc;
  int result = expand(pattern, brace, last, flags, error, list);
  if (result != 0 && result != GLOB_NOMATCH) {
    if (!(flags & GLOB_APPEND)) {
      globfree(list);
      list->gl_pathc = 0;
    }
    return result;
  }
  if (list->gl_pathc != first) return 0;
  return flags & (GLOB_NOCHECK | NO_MAGIC) ? glob_plainly(pattern, flags | GLOB_NOCHECK, error, list) : GLOB_NOMATCH;
}

REPLACEABLE void globfree(glob_t *list) {
  for (size_t i = 0; i < list->gl_pathc; i++) free(list->gl_pathv[list->gl_offs + i]);
  free(list->gl_pathv);
  list->gl_pathc = 0;
  list->gl_pathv = 0;
}

#undef glob64
weak_alias(glob, glob64);
#undef globfree64
weak_alias(globfree, globfree64);
