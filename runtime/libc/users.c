/* Users and groups: those that the program runs as, and no others. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __getpw_a(const char *, uid_t, struct passwd *, char **, size_t *, struct passwd **);
int __getgr_a(const char *, gid_t, struct group *, char **, size_t *, char ***, size_t *, struct group **);

enum { ID = 1000 };

static char name[] = "user", password[] = "x", comment[] = "", home[] = "/home/user", shell[] = "/bin/sh";

int __getpw_a(const char *wanted, uid_t user, struct passwd *entry, char **buffer, size_t *size,
              struct passwd **result) {
  *result = 0;
  if (wanted ? strcmp(wanted, name) != 0 : user != ID) return 0;
  /* Callers copy from the buffer. */
  size_t needed = sizeof name + sizeof password + sizeof comment + sizeof home + sizeof shell;
  char *text = realloc(*buffer, needed);
  if (!text) return 12;
  *buffer = text;
  *size = needed;
  entry->pw_uid = entry->pw_gid = ID;
  entry->pw_name = text;
  entry->pw_passwd = strcpy(text, name) + sizeof name;
  entry->pw_gecos = strcpy(entry->pw_passwd, password) + sizeof password;
  entry->pw_dir = strcpy(entry->pw_gecos, comment) + sizeof comment;
  entry->pw_shell = strcpy(entry->pw_dir, home) + sizeof home;
  strcpy(entry->pw_shell, shell);
  *result = entry;
  return 0;
}

int __getgr_a(const char *wanted, gid_t group, struct group *entry, char **buffer, size_t *size, char ***members,
              size_t *count, struct group **result) {
  *result = 0;
  if (wanted ? strcmp(wanted, name) != 0 : group != ID) return 0;
  size_t needed = sizeof name + sizeof password;
  char *text = realloc(*buffer, needed);
  char **list = realloc(*members, sizeof *list);
  if (text) *buffer = text;
  if (list) *members = list;
  if (!text || !list) return 12;
  *size = needed;
  *count = 0;
  list[0] = 0;
  entry->gr_gid = ID;
  entry->gr_name = text;
  entry->gr_passwd = strcpy(text, name) + sizeof name;
  strcpy(entry->gr_passwd, password);
  entry->gr_mem = list;
  *result = entry;
  return 0;
}

/* As many of the user's groups as there is room for. */
REPLACEABLE int getgrouplist(const char *user, gid_t group, gid_t *list, int *count) {
  int found = strcmp(user, name) == 0 && group != ID ? 2 : 1;
  if (*count > 0) list[0] = group;
  if (found == 2 && *count > 1) list[1] = ID;
  int fits = found <= *count;
  *count = found;
  return fits ? found : -1;
}

/* Nobody is logged in. */
REPLACEABLE char *getlogin(void) {
  errno = ENXIO;
  return 0;
}

REPLACEABLE int getlogin_r(char *text, size_t size) {
  (void)text, (void)size;
  return ENXIO;
}
