/* Paths: where a path of the program is in the system. */
#define _GNU_SOURCE
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder that plays the root, without a slash at its end. It is empty if the program was not started by
 * Secateur; then paths stay as they are. */
static struct {
  bool known;
  char text[PATH_MAX];
  size_t length;
} root;

static const char *const devices[] = {"/dev/full", "/dev/null", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero"};
enum { DEVICES = sizeof devices / sizeof *devices };

/* What stands for them below the root. */
static struct {
  dev_t device;
  ino_t inode;
} stand_ins[DEVICES];

static void find_stand_ins(void) {
  for (int i = 0; i < DEVICES; i++) {
    struct real_path path;
    struct stat status;
    strcat(strcpy(path.text, root.text), devices[i]);
    if (lstat(path.text, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    stand_ins[i].device = status.st_dev;
    stand_ins[i].inode = status.st_ino;
  }
}

const char *world_device(const struct stat *status) {
  for (int i = 0; i < DEVICES; i++)
    if (stand_ins[i].inode != 0 && stand_ins[i].inode == status->st_ino && stand_ins[i].device == status->st_dev)
      return devices[i];
  return NULL;
}

int world_leads_to_root(int folder) {
  struct stat status, root_status;
  return root.length > 0 && fstatat(folder, ".", &status, 0) == 0 && stat(root.text, &root_status) == 0 &&
         status.st_ino == root_status.st_ino && status.st_dev == root_status.st_dev;
}

static void find_root(void) {
  int saved_errno = errno;
  root.known = true;
  if (getcwd(root.text, sizeof root.text) == NULL) root.text[0] = 0;
  size_t length = strlen(root.text), home = strlen(WORLD_HOME);
  bool is_home = length > home && strcmp(root.text + length - home, WORLD_HOME) == 0;
  root.length = is_home ? length - home : 0;
  root.text[root.length] = 0;
  if (is_home) {
    umask(022);
    find_stand_ins();
  }
  errno = saved_errno;
}

/* Before the program can change its working directory or make files. */
__attribute__((constructor(102))) static void start(void) {
  if (!root.known) find_root();
}

/* Devices that are those of the system. */
static bool is_device(const char *path) {
  static const char *const streams[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  if (strncmp(path, "/dev/", 5) != 0) return false;
  for (int i = 0; i < DEVICES; i++)
    if (strcmp(path, devices[i]) == 0) return true;
  for (int i = 0; i < 3; i++)
    if (strcmp(path, streams[i]) == 0) return true;
  return false;
}

const char *world_inside(const char *path) {
  if (root.length == 0 || strncmp(path, root.text, root.length) != 0) return path;
  const char *rest = path + root.length;
  return *rest == 0 ? "/" : *rest == '/' ? rest : path;
}

/* Whether a relative path climbs above the root, from a folder of the program. */
static bool climbs(const char *folder, const char *path) {
  long depth = 0;
  for (const char *at = folder; *at != 0; at++) depth += *at == '/' && at[1] != 0 && at[1] != '/';
  while (*path != 0) {
    size_t length = strcspn(path, "/");
    if (length == 2 && path[0] == '.' && path[1] == '.') depth--;
    else if (length > 0 && !(length == 1 && path[0] == '.')) depth++;
    if (depth < 0) return true;
    path += length;
    while (*path == '/') path++;
  }
  return false;
}

/* Adds a path to that of a folder, without going above the root. */
static void append(char *text, size_t size, const char *path) {
  size_t used = root.length;
  for (const char *at = path; *at != 0;) {
    size_t length = strcspn(at, "/");
    if (length == 2 && at[0] == '.' && at[1] == '.') {
      while (used > root.length && text[--used] != '/') {}
    } else if (length > 0 && !(length == 1 && at[0] == '.') && used + length + 2 < size) {
      text[used++] = '/';
      memcpy(text + used, at, length);
      used += length;
    }
    at += length;
    while (*at == '/') at++;
  }
  text[used] = 0;
}

const char *world_path(const char *path, struct real_path *buffer) {
  if (!root.known) find_root();
  if (path == NULL || root.length == 0 || path[0] == 0 || is_device(path)) return path;
  char *text = buffer->text;
  if (path[0] != '/') {
    char folder[PATH_MAX];
    if (strstr(path, "..") == NULL || getcwd(folder, sizeof folder) == NULL) return path;
    const char *inside = world_inside(folder);
    if (!climbs(inside, path)) return path;
    char whole[2 * PATH_MAX];
    if (strlen(inside) + strlen(path) + 2 > sizeof whole) return path;
    strcat(strcat(strcpy(whole, inside), "/"), path);
    memcpy(text, root.text, root.length);
    append(text, sizeof buffer->text, whole);
    return text;
  }
  if (strlen(path) >= PATH_MAX) return path;
  /* The root has no name, so the slash does not stand behind one. */
  if (path[strspn(path, "/")] == 0) return strcpy(text, root.text);
  if (strstr(path, "..") == NULL || !climbs("/", path)) return strcat(strcpy(text, root.text), path);
  memcpy(text, root.text, root.length);
  append(text, sizeof buffer->text, path);
  return text;
}

int world_is_root(const char *path) {
  if (path == NULL || *path == 0 || path[strspn(path, "/")] != 0) return 0;
  errno = EBUSY;
  return 1;
}

const char *world_path_at(int folder, const char *path, struct real_path *buffer) {
  if (folder == AT_FDCWD || path == NULL || path[0] == '/') return world_path(path, buffer);
  return path;
}
