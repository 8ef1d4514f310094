/* nftw() and ftw(), as in glibc. The C library of the machine consists of the same code (runtime/libc/walk.c), so that
 * native runs walk in the same order. FTW_CHDIR, which neither walk can follow, ends the path in the machine. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The numbers of glibc's header, which others do not share. */
enum { WALK_FILE, WALK_FOLDER, WALK_UNREADABLE, WALK_UNKNOWN, WALK_LINK, WALK_FOLDER_AFTERWARDS, WALK_DANGLING };
enum { WALK_PHYSICAL = 1, WALK_ONE_DEVICE = 2, WALK_CHDIR = 4, WALK_DEPTH = 8, WALK_ACTIONS = 16 };
enum { WALK_SKIP_SUBTREE = 2, WALK_SKIP_SIBLINGS = 3 };

/* Where the walk is: where the name begins in the path, and how many folders it is below the start. */
struct walk_place {
  int base, level;
};

struct walk {
  int (*visit)(const char *, const struct stat *, int, struct walk_place *);
  /* That of ftw(), which tells fewer kinds apart. */
  int (*visit_plainly)(const char *, const struct stat *, int);
  int flags;
  dev_t device;
  char *path;
  size_t room;
  struct known_folder { dev_t device; ino_t inode; } *known;
  size_t known_count;
};

/* Puts a name behind the first part of the path; the length of the whole, or 0 if there is no memory. */
static size_t add_name(struct walk *walk, size_t length, const char *name) {
  size_t more = strlen(name);
  if (length + more + 2 > walk->room) {
    char *larger = realloc(walk->path, (length + more + 2) * 2);
    if (larger == NULL) return 0;
    walk->path = larger;
    walk->room = (length + more + 2) * 2;
  }
  if (length > 0 && walk->path[length - 1] != '/') walk->path[length++] = '/';
  memcpy(walk->path + length, name, more + 1);
  return length + more;
}

static int is_special(const char *name) { return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0)); }

/* Whether links lead to a folder again. 0 if it is new, 1 if it is known, -1 if there is no memory. */
static int is_known(struct walk *walk, const struct stat *status) {
  for (size_t i = 0; i < walk->known_count; i++)
    if (walk->known[i].device == status->st_dev && walk->known[i].inode == status->st_ino) return 1;
  struct known_folder *more = realloc(walk->known, (walk->known_count + 1) * sizeof *more);
  if (more == NULL) return -1;
  walk->known = more;
  more[walk->known_count++] = (struct known_folder){status->st_dev, status->st_ino};
  return 0;
}

static int call(struct walk *walk, const struct stat *status, int kind, struct walk_place place) {
  static const int of_plain[] = {WALK_FILE, WALK_FOLDER, WALK_UNREADABLE, WALK_UNKNOWN, WALK_FILE, WALK_FOLDER,
                                 WALK_UNKNOWN};
  if (walk->visit_plainly != NULL) return walk->visit_plainly(walk->path, status, of_plain[kind]);
  return walk->visit(walk->path, status, kind, &place);
}

static int visit_all(struct walk *walk, size_t length, struct walk_place place);

static int visit_folder(struct walk *walk, size_t length, struct walk_place place, const struct stat *status) {
  int known = walk->flags & WALK_PHYSICAL ? 0 : is_known(walk, status), result = 0;
  if (known != 0) return known < 0 ? -1 : 0;
  DIR *list = opendir(walk->path);
  if (list == NULL) return errno == EACCES ? call(walk, status, WALK_UNREADABLE, place) : -1;
  if (!(walk->flags & WALK_DEPTH)) result = call(walk, status, WALK_FOLDER, place);
  if (result == 0) {
    for (struct dirent *entry; result == 0 && (entry = readdir(list)) != NULL;) {
      if (is_special(entry->d_name)) continue;
      size_t whole = add_name(walk, length, entry->d_name);
      struct walk_place inner = {(int)(whole - strlen(entry->d_name)), place.level + 1};
      result = whole == 0 ? -1 : visit_all(walk, whole, inner);
      walk->path[length] = 0;
    }
    if ((walk->flags & WALK_ACTIONS) && result == WALK_SKIP_SIBLINGS) result = 0;
    if (result == 0 && (walk->flags & WALK_DEPTH)) result = call(walk, status, WALK_FOLDER_AFTERWARDS, place);
  }
  int saved_errno = errno;
  closedir(list);
  errno = saved_errno;
  return result;
}

/* Visits what the first part of the path names, and all below it. */
static int visit_all(struct walk *walk, size_t length, struct walk_place place) {
  struct stat status;
  int physical = walk->flags & WALK_PHYSICAL, kind, result = 0;
  memset(&status, 0, sizeof status);
  if ((physical ? lstat(walk->path, &status) : stat(walk->path, &status)) == 0)
    kind = S_ISDIR(status.st_mode) ? WALK_FOLDER : S_ISLNK(status.st_mode) ? WALK_LINK : WALK_FILE;
  else if (errno != ENOENT && (errno != EACCES || place.level == 0))
    return -1;
  else if (!physical && lstat(walk->path, &status) == 0 && S_ISLNK(status.st_mode))
    kind = WALK_DANGLING;
  else if (place.level == 0)
    return -1;
  else
    kind = WALK_UNKNOWN;
  if (place.level == 0) walk->device = status.st_dev;
  if (kind == WALK_UNKNOWN || !(walk->flags & WALK_ONE_DEVICE) || status.st_dev == walk->device)
    result = kind == WALK_FOLDER ? visit_folder(walk, length, place, &status) : call(walk, &status, kind, place);
  return (walk->flags & WALK_ACTIONS) && result == WALK_SKIP_SUBTREE ? 0 : result;
}

static int start_walk(struct walk *walk, const char *path) {
  if (*path == 0) return errno = ENOENT, -1;
  size_t length = add_name(walk, 0, path);
  if (length == 0) return -1;
  while (length > 1 && walk->path[length - 1] == '/') walk->path[--length] = 0;
  const char *slash = strrchr(walk->path, '/');
  struct walk_place place = {slash == NULL ? 0 : (int)(slash + 1 - walk->path), 0};
  int result = visit_all(walk, length, place);
  int saved_errno = errno;
  free(walk->path);
  free(walk->known);
  errno = saved_errno;
  return (walk->flags & WALK_ACTIONS) && result == WALK_SKIP_SIBLINGS ? 0 : result;
}

int nftw(const char *, int (*)(const char *, const struct stat *, int, struct walk_place *), int, int);
int ftw(const char *, int (*)(const char *, const struct stat *, int), int);

REPLACEABLE int nftw(const char *path, int (*visit)(const char *, const struct stat *, int, struct walk_place *),
                     int descriptors, int flags) {
  (void)descriptors;
  if (flags & WALK_CHDIR) CANNOT_WALK();
  struct walk walk = {.visit = visit, .flags = flags};
  return start_walk(&walk, path);
}

REPLACEABLE int ftw(const char *path, int (*visit)(const char *, const struct stat *, int), int descriptors) {
  (void)descriptors;
  struct walk walk = {.visit_plainly = visit};
  return start_walk(&walk, path);
}
