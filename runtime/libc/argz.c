/* <argz.h> and <envz.h>: lists of texts in one piece of memory, each ended by a zero byte. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int argz_create(char *const *, char **, size_t *);
int argz_create_sep(const char *, int, char **, size_t *);
size_t argz_count(const char *, size_t);
void argz_extract(const char *, size_t, char **);
void argz_stringify(char *, size_t, int);
int argz_append(char **, size_t *, const char *, size_t);
int argz_add(char **, size_t *, const char *);
int argz_add_sep(char **, size_t *, const char *, int);
void argz_delete(char **, size_t *, char *);
int argz_insert(char **, size_t *, char *, const char *);
int argz_replace(char **, size_t *, const char *, const char *, unsigned *);
char *argz_next(const char *, size_t, const char *);
char *envz_entry(const char *, size_t, const char *);
char *envz_get(const char *, size_t, const char *);
int envz_add(char **, size_t *, const char *, const char *);
int envz_merge(char **, size_t *, const char *, size_t, int);
void envz_remove(char **, size_t *, const char *);
void envz_strip(char **, size_t *);

REPLACEABLE int argz_create(char *const *texts, char **list, size_t *length) {
  size_t total = 0;
  for (char *const *text = texts; *text; text++) total += strlen(*text) + 1;
  *length = total;
  *list = 0;
  if (total == 0) return 0;
  char *to = *list = malloc(total);
  if (!to) return ENOMEM;
  for (; *texts; texts++) to = stpcpy(to, *texts) + 1;
  return 0;
}

/* Texts between separators. Empty ones are left out, but for the last. */
static size_t split(char *to, const char *text, int separator) {
  char *start = to;
  for (; *text; text++) {
    if (*text != (char)separator) *to++ = *text;
    else if (to > start && to[-1]) *to++ = 0;
  }
  *to++ = 0;
  return (size_t)(to - start);
}

REPLACEABLE int argz_create_sep(const char *text, int separator, char **list, size_t *length) {
  *length = 0;
  *list = 0;
  return argz_add_sep(list, length, text, separator);
}

REPLACEABLE size_t argz_count(const char *list, size_t length) {
  size_t count = 0;
  for (const char *at = list; at < list + length; at += strlen(at) + 1) count++;
  return count;
}

REPLACEABLE void argz_extract(const char *list, size_t length, char **texts) {
  for (const char *at = list; at < list + length; at += strlen(at) + 1) *texts++ = (char *)at;
  *texts = 0;
}

REPLACEABLE void argz_stringify(char *list, size_t length, int separator) {
  for (size_t i = 0; i + 1 < length; i++)
    if (!list[i]) list[i] = (char)separator;
}

REPLACEABLE int argz_append(char **list, size_t *length, const char *more, size_t size) {
  char *grown = realloc(*list, *length + size);
  if (!grown) return ENOMEM;
  memcpy(grown + *length, more, size);
  *list = grown;
  *length += size;
  return 0;
}

REPLACEABLE int argz_add(char **list, size_t *length, const char *text) {
  return argz_append(list, length, text, strlen(text) + 1);
}

REPLACEABLE int argz_add_sep(char **list, size_t *length, const char *text, int separator) {
  if (!*text) return 0;
  char *grown = realloc(*list, *length + strlen(text) + 1);
  if (!grown) return ENOMEM;
  *list = grown;
  *length += split(grown + *length, text, separator);
  return 0;
}

REPLACEABLE void argz_delete(char **list, size_t *length, char *text) {
  if (!text) return;
  size_t size = strlen(text) + 1;
  *length -= size;
  memmove(text, text + size, *length - (size_t)(text - *list));
  if (*length > 0) return;
  free(*list);
  *list = 0;
}

REPLACEABLE int argz_insert(char **list, size_t *length, char *before, const char *text) {
  if (!before) return argz_add(list, length, text);
  if (before < *list || before >= *list + *length) return EINVAL;
  while (before > *list && before[-1]) before--;
  size_t at = (size_t)(before - *list), size = strlen(text) + 1;
  char *grown = realloc(*list, *length + size);
  if (!grown) return ENOMEM;
  memmove(grown + at + size, grown + at, *length - at);
  memcpy(grown + at, text, size);
  *list = grown;
  *length += size;
  return 0;
}

REPLACEABLE char *argz_next(const char *list, size_t length, const char *text) {
  if (!text) return length > 0 ? (char *)list : 0;
  if (text < list + length) text = strchr(text, 0) + 1;
  return text >= list + length ? 0 : (char *)text;
}

/* Every place of one text gives way to another; what is found in a replacement is left alone. */
REPLACEABLE int argz_replace(char **list, size_t *length, const char *from, const char *to, unsigned *count) {
  char *made = 0;
  size_t made_length = 0, from_length = strlen(from), to_length = strlen(to);
  unsigned found = 0;
  if (from_length == 0) return 0;
  for (char *text = 0; (text = argz_next(*list, *length, text));) {
    int error = 0;
    char *at = text;
    for (char *match; (match = strstr(at, from)) && !error; at = match + from_length) {
      error = argz_append(&made, &made_length, at, (size_t)(match - at));
      if (!error) error = argz_append(&made, &made_length, to, to_length);
      found++;
    }
    if (!error) error = argz_add(&made, &made_length, at);
    if (!error) continue;
    free(made);
    return error;
  }
  if (found == 0) {
    free(made);
    return 0;
  }
  free(*list);
  *list = made;
  *length = made_length;
  if (count) *count += found;
  return 0;
}

/* --- Names with values ----------------------------------------------------------------------- */

REPLACEABLE char *envz_entry(const char *list, size_t length, const char *name) {
  size_t size = strcspn(name, "=");
  for (char *at = 0; (at = argz_next(list, length, at));)
    if (!strncmp(at, name, size) && (!at[size] || at[size] == '=')) return at;
  return 0;
}

REPLACEABLE char *envz_get(const char *list, size_t length, const char *name) {
  char *entry = envz_entry(list, length, name), *equals = entry ? strchr(entry, '=') : 0;
  return equals ? equals + 1 : 0;
}

REPLACEABLE void envz_remove(char **list, size_t *length, const char *name) {
  argz_delete(list, length, envz_entry(*list, *length, name));
}

REPLACEABLE int envz_add(char **list, size_t *length, const char *name, const char *value) {
  envz_remove(list, length, name);
  if (!value) return argz_add(list, length, name);
  char *text = malloc(strlen(name) + strlen(value) + 2);
  if (!text) return ENOMEM;
  strcpy(stpcpy(stpcpy(text, name), "="), value);
  int error = argz_add(list, length, text);
  free(text);
  return error;
}

REPLACEABLE int envz_merge(char **list, size_t *length, const char *other, size_t other_length, int overrides) {
  int error = 0;
  for (char *at = 0; !error && (at = argz_next(other, other_length, at));) {
    char *old = envz_entry(*list, *length, at);
    if (!old) error = argz_append(list, length, at, strlen(at) + 1);
    else if (overrides) {
      argz_delete(list, length, old);
      error = argz_append(list, length, at, strlen(at) + 1);
    }
  }
  return error;
}

/* Names without values go. */
REPLACEABLE void envz_strip(char **list, size_t *length) {
  char *to = *list, *end = *list + *length;
  for (char *at = *list; at < end;) {
    size_t size = strlen(at) + 1;
    if (strchr(at, '=')) {
      memmove(to, at, size);
      to += size;
    }
    at += size;
  }
  *length = (size_t)(to - *list);
}

weak_alias(argz_create, __argz_create);
weak_alias(argz_create_sep, __argz_create_sep);
weak_alias(argz_count, __argz_count);
weak_alias(argz_extract, __argz_extract);
weak_alias(argz_stringify, __argz_stringify);
weak_alias(argz_next, __argz_next);
