/* Functions that start other programs: like `fork`, they find that there is no room for another process. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

REPLACEABLE int system(const char *command) {
  /* Whether there is a shell. */
  if (!command) return 1;
  return fork();
}

REPLACEABLE FILE *popen(const char *command, const char *mode) {
  (void)command;
  size_t known = strspn(mode, "rwe");
  if (mode[known] || !strchr(mode, 'r') == !strchr(mode, 'w')) return errno = EINVAL, NULL;
  fork();
  return NULL;
}

REPLACEABLE int pclose(FILE *stream) {
  (void)stream;
  errno = ECHILD;
  return -1;
}

REPLACEABLE int posix_spawn(pid_t *restrict process, const char *restrict path, const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                            char *const environment[restrict]) {
  (void)process, (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  fork();
  return EAGAIN;
}

REPLACEABLE int posix_spawnp(pid_t *restrict process, const char *restrict name,
                             const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *restrict attributes,
                             char *const arguments[restrict], char *const environment[restrict]) {
  return posix_spawn(process, name, actions, attributes, arguments, environment);
}
