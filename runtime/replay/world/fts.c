/* <fts.h>, with the layout of glibc's header: walks over trees of files. The working directory is never changed, so
 * FTS_NOCHDIR makes no difference. The C library of the machine consists of the same code (runtime/libc/fts.c). */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef struct entry {
  struct entry *fts_cycle;
  struct entry *fts_parent;
  struct entry *fts_link;
  long fts_number;
  void *fts_pointer;
  char *fts_accpath;
  char *fts_path;
  int fts_errno;
  int fts_symfd;
  unsigned short fts_pathlen;
  unsigned short fts_namelen;
  ino_t fts_ino;
  dev_t fts_dev;
  nlink_t fts_nlink;
  short fts_level;
  unsigned short fts_info;
  unsigned short fts_flags;
  unsigned short fts_instr;
  struct stat *fts_statp;
  char fts_name[1];
} entry;

typedef int (*comparison)(const void *, const void *);

typedef struct {
  entry *fts_cur;
  entry *fts_child;
  entry **fts_array;
  dev_t fts_dev;
  char *fts_path;
  int fts_rfd;
  int fts_pathlen;
  int fts_nitems;
  comparison fts_compar;
  int fts_options;
} stream;

enum { COMFOLLOW = 1, LOGICAL = 2, NOCHDIR = 4, NOSTAT = 8, PHYSICAL = 16, SEEDOT = 32, XDEV = 64, OPTIONS = 0xff };
enum { D = 1, DC, DEFAULT, DNR, DOT, DP, ERR, F, INIT, NS, NSOK, SL, SLNONE };
enum { AGAIN = 1, FOLLOW, NOINSTR, SKIP };
enum { ROOT_LEVEL = 0, NAMEONLY = 0x100 };

static entry *make(entry *parent, const char *name) {
  size_t length = strlen(name), before = parent->fts_path ? strlen(parent->fts_path) : 0;
  int slash = before > 0 && parent->fts_path[before - 1] != '/';
  entry *e = calloc(1, sizeof *e + length);
  if (!e) return 0;
  e->fts_statp = calloc(1, sizeof *e->fts_statp);
  e->fts_path = malloc(before + (size_t)slash + length + 1);
  if (!e->fts_statp || !e->fts_path) return 0;
  memcpy(e->fts_path, parent->fts_path ? parent->fts_path : "", before);
  if (slash) e->fts_path[before] = '/';
  strcpy(e->fts_path + before + slash, name);
  strcpy(e->fts_name, name);
  e->fts_accpath = e->fts_path;
  e->fts_pathlen = (unsigned short)(before + (size_t)slash + length);
  e->fts_namelen = (unsigned short)length;
  e->fts_parent = parent;
  e->fts_level = (short)(parent->fts_level + 1);
  e->fts_instr = NOINSTR;
  e->fts_symfd = -1;
  return e;
}

static void discard(entry *e) {
  free(e->fts_statp);
  free(e->fts_path);
  free(e);
}

static void discard_all(entry *e) {
  while (e) {
    entry *next = e->fts_link;
    discard(e);
    e = next;
  }
}

/* Finds out what an entry is. */
static void examine(stream *s, entry *e, int follow) {
  struct stat *status = e->fts_statp;
  if (follow || (s->fts_options & LOGICAL)) {
    if (stat(e->fts_accpath, status) != 0) {
      int error = errno;
      if (lstat(e->fts_accpath, status) == 0) {
        e->fts_info = SLNONE;
        return;
      }
      memset(status, 0, sizeof *status);
      e->fts_errno = error;
      e->fts_info = NS;
      return;
    }
  } else if (lstat(e->fts_accpath, status) != 0) {
    e->fts_errno = errno;
    memset(status, 0, sizeof *status);
    e->fts_info = NS;
    return;
  }
  e->fts_dev = status->st_dev;
  e->fts_ino = status->st_ino;
  e->fts_nlink = status->st_nlink;
  if (S_ISDIR(status->st_mode)) {
    e->fts_info = D;
    if (!strcmp(e->fts_name, ".") || !strcmp(e->fts_name, "..")) {
      if (e->fts_level > ROOT_LEVEL) e->fts_info = DOT;
      if (e->fts_level > ROOT_LEVEL) return;
    }
    for (entry *above = e->fts_parent; above->fts_level >= ROOT_LEVEL; above = above->fts_parent)
      if (above->fts_ino == e->fts_ino && above->fts_dev == e->fts_dev) {
        e->fts_cycle = above;
        e->fts_info = DC;
        return;
      }
  } else {
    e->fts_info = S_ISLNK(status->st_mode) ? SL : S_ISREG(status->st_mode) ? F : DEFAULT;
  }
}

/* Sorts a list as the caller wants it. */
static entry *sorted(stream *s, entry *list) {
  size_t count = 0;
  for (entry *e = list; e; e = e->fts_link) count++;
  if (!s->fts_compar || count < 2) return list;
  entry **all = malloc(count * sizeof *all);
  if (!all) return list;
  size_t i = 0;
  for (entry *e = list; e; e = e->fts_link) all[i++] = e;
  qsort(all, count, sizeof *all, s->fts_compar);
  for (i = 0; i + 1 < count; i++) all[i]->fts_link = all[i + 1];
  all[count - 1]->fts_link = 0;
  list = all[0];
  free(all);
  return list;
}

/* The entries of a folder. */
static entry *list_of(stream *s, entry *folder, int names_only) {
  DIR *list = opendir(folder->fts_accpath);
  if (!list) {
    folder->fts_info = DNR;
    folder->fts_errno = errno;
    return 0;
  }
  entry *first = 0, **last = &first;
  for (struct dirent *found; (found = readdir(list));) {
    if (!(s->fts_options & SEEDOT) && (!strcmp(found->d_name, ".") || !strcmp(found->d_name, ".."))) continue;
    entry *e = make(folder, found->d_name);
    if (!e) break;
    if (names_only)
      e->fts_info = NSOK;
    else if ((s->fts_options & NOSTAT) && found->d_type != DT_DIR && found->d_type != DT_UNKNOWN)
      e->fts_info = NSOK;
    else
      examine(s, e, 0);
    *last = e;
    last = &e->fts_link;
  }
  closedir(list);
  return sorted(s, first);
}

REPLACEABLE stream *fts_open(char *const *paths, int options, comparison compare) {
  if (options & ~OPTIONS || !(options & (LOGICAL | PHYSICAL))) {
    errno = EINVAL;
    return 0;
  }
  stream *s = calloc(1, sizeof *s);
  entry *parent = calloc(1, sizeof *parent);
  if (!s || !parent) return 0;
  s->fts_compar = compare;
  s->fts_options = options;
  s->fts_rfd = -1;
  parent->fts_level = ROOT_LEVEL - 1;
  entry *first = 0, **last = &first;
  for (; *paths; paths++) {
    if (!**paths) {
      errno = ENOENT;
      return 0;
    }
    entry *e = make(parent, *paths);
    if (!e) return 0;
    examine(s, e, options & COMFOLLOW);
    *last = e;
    last = &e->fts_link;
  }
  /* A first entry, before all others. */
  s->fts_cur = make(parent, "");
  if (!s->fts_cur) return 0;
  s->fts_cur->fts_info = INIT;
  s->fts_cur->fts_link = sorted(s, first);
  return s;
}

/* The name of a root, without the folders before it. */
static void load(stream *s, entry *e) {
  char *slash = strrchr(e->fts_name, '/');
  if (slash && (slash != e->fts_name || slash[1])) {
    e->fts_namelen = (unsigned short)strlen(slash + 1);
    memmove(e->fts_name, slash + 1, strlen(slash + 1) + 1);
  }
  s->fts_dev = e->fts_dev;
}

REPLACEABLE entry *fts_read(stream *s) {
  entry *e = s->fts_cur;
  if (!e) return 0;
  int instruction = e->fts_instr;
  e->fts_instr = NOINSTR;
  if (instruction == AGAIN) {
    examine(s, e, 0);
    return e;
  }
  if (instruction == FOLLOW && (e->fts_info == SL || e->fts_info == SLNONE)) {
    examine(s, e, 1);
    return e;
  }
  if (e->fts_info == D) {
    int other = (s->fts_options & XDEV) && e->fts_dev != s->fts_dev;
    if (instruction == SKIP || other) {
      if (s->fts_child) discard_all(s->fts_child);
      s->fts_child = 0;
      e->fts_info = DP;
      return e;
    }
    if (s->fts_child && (s->fts_options & NAMEONLY)) {
      discard_all(s->fts_child);
      s->fts_child = 0;
    }
    s->fts_options &= ~NAMEONLY;
    entry *children = s->fts_child ? s->fts_child : list_of(s, e, 0);
    s->fts_child = 0;
    if (children) return s->fts_cur = children;
    if (e->fts_info == DNR) return e;
    e->fts_info = DP;
    return e;
  }
  for (;;) {
    entry *next = e->fts_link;
    if (next) {
      discard(e);
      s->fts_cur = e = next;
      if (e->fts_level == ROOT_LEVEL) {
        load(s, e);
        return e;
      }
      if (e->fts_instr == SKIP) continue;
      if (e->fts_instr == FOLLOW) {
        examine(s, e, 1);
        e->fts_instr = NOINSTR;
      }
      return e;
    }
    entry *parent = e->fts_parent;
    discard(e);
    s->fts_cur = parent;
    if (parent->fts_level < ROOT_LEVEL) {
      free(parent);
      s->fts_cur = 0;
      errno = 0;
      return 0;
    }
    parent->fts_info = parent->fts_errno ? ERR : DP;
    return parent;
  }
}

REPLACEABLE int fts_set(stream *s, entry *e, int instruction) {
  (void)s;
  if (instruction && (instruction < AGAIN || instruction > SKIP)) {
    errno = EINVAL;
    return 1;
  }
  e->fts_instr = (unsigned short)instruction;
  return 0;
}

REPLACEABLE entry *fts_children(stream *s, int instruction) {
  if (instruction && instruction != NAMEONLY) {
    errno = EINVAL;
    return 0;
  }
  entry *e = s->fts_cur;
  errno = 0;
  if (!e) return 0;
  if (e->fts_info == INIT) return e->fts_link;
  if (e->fts_info != D) return 0;
  discard_all(s->fts_child);
  if (instruction == NAMEONLY)
    s->fts_options |= NAMEONLY;
  else
    s->fts_options &= ~NAMEONLY;
  return s->fts_child = list_of(s, e, instruction == NAMEONLY);
}

REPLACEABLE int fts_close(stream *s) {
  discard_all(s->fts_child);
  for (entry *e = s->fts_cur; e;) {
    entry *next = e->fts_link ? e->fts_link : e->fts_parent;
    if (e->fts_level < ROOT_LEVEL)
      free(e);
    else
      discard(e);
    e = next;
  }
  free(s);
  return 0;
}
