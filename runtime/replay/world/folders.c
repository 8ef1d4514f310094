/* Folders. Entries are listed in the order of their names, whatever order the system has. */
#define _GNU_SOURCE
#include "world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __secateur_mkdir(const char *path, mode_t mode) {
  struct real_path buffer;
  return mkdir(world_path(path, &buffer), mode);
}

int __secateur_mkdirat(int folder, const char *path, mode_t mode) {
  struct real_path buffer;
  return mkdirat(folder, world_path_at(folder, path, &buffer), mode);
}

int __secateur_rmdir(const char *path) {
  if (world_is_root(path)) return -1;
  struct real_path buffer;
  return rmdir(world_path(path, &buffer));
}

int __secateur_chdir(const char *path) {
  struct real_path buffer;
  path = world_path(path, &buffer);
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  if (S_ISDIR(status.st_mode) && world_may(AT_FDCWD, path, X_OK, 0) != 0) return -1;
  return chdir(path);
}

char *__secateur_getcwd(char *text, size_t size) {
  char real[2 * PATH_MAX];
  if (getcwd(real, sizeof real) == NULL) return NULL;
  const char *inside = world_inside(real);
  size_t needed = strlen(inside) + 1;
  if (text == NULL) {
    if (size != 0 && size < needed) return errno = ERANGE, NULL;
    text = malloc(size == 0 ? needed : size);
    return text == NULL ? NULL : strcpy(text, inside);
  }
  if (size == 0) return errno = EINVAL, NULL;
  if (size < needed) return errno = ERANGE, NULL;
  return strcpy(text, inside);
}

char *__secateur_get_current_dir_name(void) { return __secateur_getcwd(NULL, 0); }

/* --- Listing -------------------------------------------------------------------------------- */

/* How far a folder was listed. */
struct listing {
  DIR *folder;
  /* The names that were listed, and how many of them are before the position. */
  char **names;
  long count, position, room;
  struct dirent entry;
  struct listing *next;
};

static struct listing *listings;

static struct listing *listing_of(DIR *folder) {
  for (struct listing *listing = listings; listing != NULL; listing = listing->next)
    if (listing->folder == folder) return listing;
  struct listing *listing = calloc(1, sizeof *listing);
  if (listing == NULL) abort();
  listing->folder = folder;
  listing->next = listings;
  return listings = listing;
}

static void forget(struct listing *listing, long from) {
  for (long i = from; i < listing->count; i++) free(listing->names[i]);
  listing->count = from;
}

DIR *__secateur_opendir(const char *path) {
  int descriptor = world_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (descriptor < 0) return NULL;
  DIR *folder = fdopendir(descriptor);
  if (folder == NULL) close(descriptor);
  return folder;
}

int __secateur_closedir(DIR *folder) {
  for (struct listing **link = &listings; *link != NULL; link = &(*link)->next) {
    if ((*link)->folder != folder) continue;
    struct listing *listing = *link;
    *link = listing->next;
    forget(listing, 0);
    free(listing->names);
    free(listing);
    break;
  }
  return closedir(folder);
}

/* `.` and `..` come first. */
static int compare_names(const char *a, const char *b) {
  const char *const first[] = {".", ".."};
  for (int i = 0; i < 2; i++) {
    if (strcmp(a, first[i]) == 0) return strcmp(b, first[i]) == 0 ? 0 : -1;
    if (strcmp(b, first[i]) == 0) return 1;
  }
  return strcmp(a, b);
}

struct dirent *__secateur_readdir(DIR *folder) {
  int saved_errno = errno;
  struct listing *listing = listing_of(folder);
  const char *last = listing->position == 0 ? NULL : listing->names[listing->position - 1];
  struct dirent *next = NULL;
  rewinddir(folder);
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (last != NULL && compare_names(entry->d_name, last) <= 0) continue;
    if (next != NULL && compare_names(entry->d_name, next->d_name) >= 0) continue;
    memcpy(&listing->entry, entry, entry->d_reclen < sizeof *entry ? entry->d_reclen : sizeof *entry);
    next = &listing->entry;
  }
  errno = saved_errno;
  if (next == NULL) return NULL;
  forget(listing, listing->position);
  if (listing->count == listing->room) {
    listing->room = listing->room * 2 + 16;
    listing->names = realloc(listing->names, (size_t)listing->room * sizeof *listing->names);
    if (listing->names == NULL) abort();
  }
  if ((listing->names[listing->count++] = strdup(next->d_name)) == NULL) abort();
  listing->position = listing->count;
  struct stat status;
  if (world_look(dirfd(folder), next->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
    next->d_ino = world_inode(status.st_dev, status.st_ino);
    next->d_type = (unsigned char)((status.st_mode & S_IFMT) >> 12);
  }
  next->d_off = listing->position;
  next->d_reclen = (unsigned short)((strlen(next->d_name) + 20 + 7) / 8 * 8);
  errno = saved_errno;
  return next;
}
struct dirent *__secateur_readdir64(DIR *) ALIAS(__secateur_readdir);

void __secateur_rewinddir(DIR *folder) {
  struct listing *listing = listing_of(folder);
  listing->position = 0;
  rewinddir(folder);
}

long __secateur_telldir(DIR *folder) { return listing_of(folder)->position; }

void __secateur_seekdir(DIR *folder, long position) {
  struct listing *listing = listing_of(folder);
  if (position >= 0 && position <= listing->count) listing->position = position;
}

int __secateur_scandir(const char *path, struct dirent ***names, int (*filter)(const struct dirent *),
                       int (*compare)(const struct dirent **, const struct dirent **)) {
  DIR *folder = __secateur_opendir(path);
  if (folder == NULL) return -1;
  struct dirent **all = NULL, *entry;
  size_t count = 0;
  while ((entry = __secateur_readdir(folder)) != NULL) {
    if (filter != NULL && !filter(entry)) continue;
    struct dirent **more = realloc(all, (count + 1) * sizeof *all);
    struct dirent *copy = malloc(sizeof *copy);
    if (more == NULL || copy == NULL) abort();
    all = more;
    all[count++] = memcpy(copy, entry, sizeof *copy);
  }
  __secateur_closedir(folder);
  if (compare != NULL && count > 1) qsort(all, count, sizeof *all, (int (*)(const void *, const void *))compare);
  *names = all;
  return (int)count;
}
int __secateur_scandir64(const char *, struct dirent ***, int (*)(const struct dirent *),
                         int (*)(const struct dirent **, const struct dirent **)) ALIAS(__secateur_scandir);
