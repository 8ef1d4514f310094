/* Starting other programs. In the machine, a path ends where one would start. */
#define _GNU_SOURCE
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __secateur_execve(const char *path, char *const *arguments, char *const *environment) {
  (void)arguments, (void)environment;
  struct real_path buffer;
  struct stat status;
  if (fstatat(AT_FDCWD, world_path(path, &buffer), &status, 0) != 0) return -1;
  errno = EACCES;
  return -1;
}

int __secateur_execv(const char *path, char *const *arguments) { return __secateur_execve(path, arguments, environ); }

int __secateur_execvpe(const char *name, char *const *arguments, char *const *environment) {
  const char *folders = getenv("PATH");
  if (*name == 0) return errno = ENOENT, -1;
  if (strchr(name, '/') != NULL) return __secateur_execve(name, arguments, environment);
  if (strlen(name) > NAME_MAX) return errno = ENAMETOOLONG, -1;
  if (folders == NULL) folders = "/usr/local/bin:/bin:/usr/bin";
  int forbidden = 0;
  for (const char *at = folders;; at++) {
    size_t length = strcspn(at, ":");
    char path[PATH_MAX + NAME_MAX + 2];
    if (length < PATH_MAX) {
      memcpy(path, at, length);
      path[length] = '/';
      strcpy(path + length + (length > 0), name);
      __secateur_execve(path, arguments, environment);
      if (errno == EACCES) forbidden = 1;
      else if (errno != ENOENT && errno != ENOTDIR) return -1;
    }
    at += length;
    if (*at == 0) break;
  }
  errno = forbidden ? EACCES : ENOENT;
  return -1;
}

int __secateur_execvp(const char *name, char *const *arguments) {
  return __secateur_execvpe(name, arguments, environ);
}

/* Which arguments a program would have had does not matter. */
int __secateur_execl(const char *path, const char *argument, ...) {
  (void)argument;
  return __secateur_execve(path, NULL, NULL);
}
int __secateur_execle(const char *path, const char *argument, ...) {
  (void)argument;
  return __secateur_execve(path, NULL, NULL);
}
int __secateur_execlp(const char *name, const char *argument, ...) {
  (void)argument;
  return __secateur_execvpe(name, NULL, NULL);
}

/* --- What starts a process first ------------------------------------------------------------- */

int __secateur_system(const char *command) {
  if (command == NULL) return 1;
  errno = EAGAIN;
  return -1;
}

FILE *__secateur_popen(const char *command, const char *mode) {
  (void)command;
  int is_known = mode[strspn(mode, "rwe")] == 0 && (strchr(mode, 'r') == NULL) != (strchr(mode, 'w') == NULL);
  errno = is_known ? EAGAIN : EINVAL;
  return NULL;
}

int __secateur_pclose(FILE *stream) {
  (void)stream;
  errno = ECHILD;
  return -1;
}

int __secateur_posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
  (void)process, (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  return EAGAIN;
}
int __secateur_posix_spawnp(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                            char *const *, char *const *) ALIAS(__secateur_posix_spawn);
