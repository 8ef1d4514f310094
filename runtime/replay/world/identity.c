/* Who the program is, its limits, and chance. */
#define _GNU_SOURCE
#include "world.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

pid_t __secateur_getpid(void) { return WORLD_PROCESS; }
pid_t __secateur_gettid(void) { return WORLD_PROCESS; }
pid_t __secateur_getppid(void) { return WORLD_PARENT; }
pid_t __secateur_getpgrp(void) { return WORLD_PROCESS; }

static pid_t group_of(pid_t process) {
  if (process == 0 || process == WORLD_PROCESS) return WORLD_PROCESS;
  errno = ESRCH;
  return -1;
}

pid_t __secateur_getpgid(pid_t process) { return group_of(process); }
pid_t __secateur_getsid(pid_t process) { return group_of(process); }

uid_t __secateur_getuid(void) { return WORLD_USER; }
uid_t __secateur_geteuid(void) { return WORLD_USER; }
gid_t __secateur_getgid(void) { return WORLD_GROUP; }
gid_t __secateur_getegid(void) { return WORLD_GROUP; }

static int unchanged(unsigned wanted) {
  if (wanted == WORLD_USER) return 0;
  errno = EPERM;
  return -1;
}

int __secateur_setuid(uid_t user) { return unchanged(user); }
int __secateur_setgid(gid_t group) { return unchanged(group); }

int __secateur_getgroups(int size, gid_t *list) {
  if (size < 0) return errno = EINVAL, -1;
  if (size > 0) list[0] = WORLD_GROUP;
  return 1;
}

int __secateur_uname(struct utsname *names) {
  memset(names, 0, sizeof *names);
  strcpy(names->sysname, "Linux");
  strcpy(names->nodename, "localhost");
  strcpy(names->release, "6.1.0");
  strcpy(names->version, "#1 SMP");
  strcpy(names->machine, "x86_64");
  strcpy(names->domainname, "(none)");
  return 0;
}

int __secateur_gethostname(char *text, size_t size) {
  static const char name[] = "localhost";
  memcpy(text, name, size < sizeof name ? size : sizeof name);
  if (size >= sizeof name) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

/* --- Other processes ------------------------------------------------------------------------ */

pid_t __secateur_fork(void) {
  errno = EAGAIN;
  return -1;
}
pid_t __secateur_vfork(void) ALIAS(__secateur_fork);

int __secateur_kill(pid_t process, int signal) {
  if (process == WORLD_PROCESS || process == 0 || process == -1 || process == -WORLD_PROCESS)
    return kill(getpid(), signal);
  if (signal < 0 || signal > 64) return errno = EINVAL, -1;
  errno = ESRCH;
  return -1;
}

int __secateur_getpriority(int which, id_t who) {
  (void)which, (void)who;
  return 0;
}

/* The real process leads a group, too. */
int __secateur_setpgid(pid_t process, pid_t group) {
  if (process != 0 && process != WORLD_PROCESS) return errno = ESRCH, -1;
  if (group == 0 || group == WORLD_PROCESS) return 0;
  errno = EPERM;
  return -1;
}

pid_t __secateur_setsid(void) {
  errno = EPERM;
  return -1;
}

/* --- Limits --------------------------------------------------------------------------------- */

int __secateur_getrlimit(int resource, struct rlimit *limit) {
  if (resource < 0 || resource >= 16) return errno = EINVAL, -1;
  rlim_t most = RLIM_INFINITY;
  if (resource == RLIMIT_STACK) most = 8 << 20;
  if (resource == RLIMIT_CORE) most = 0;
  if (resource == RLIMIT_NOFILE) most = WORLD_DESCRIPTORS;
  *limit = (struct rlimit){most, most};
  return 0;
}
int __secateur_getrlimit64(int, struct rlimit *) ALIAS(__secateur_getrlimit);

int __secateur_setrlimit(int resource, const struct rlimit *limit) {
  (void)limit;
  if (resource < 0 || resource >= 16) return errno = EINVAL, -1;
  return 0;
}
int __secateur_setrlimit64(int, const struct rlimit *) ALIAS(__secateur_setrlimit);

long __secateur_sysconf(int name) {
  switch (name) {
    case _SC_OPEN_MAX: return WORLD_DESCRIPTORS;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_PHYS_PAGES: return (4L << 30) / 4096;
    case _SC_AVPHYS_PAGES: return (2L << 30) / 4096;
    case _SC_CHILD_MAX: return -1;
    default: return sysconf(name);
  }
}

int __secateur_getdtablesize(void) { return WORLD_DESCRIPTORS; }
int __secateur_get_nprocs(void) { return 1; }
int __secateur_get_nprocs_conf(void) { return 1; }

int __secateur_sysinfo(struct sysinfo *info) {
  *info = (struct sysinfo){.uptime = WORLD_SINCE_BOOT, .totalram = 4UL << 30, .freeram = 2UL << 30,
                            .procs = 1, .mem_unit = 1};
  return 0;
}

int __secateur_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  (void)process;
  if (size < 8) return errno = EINVAL, -1;
  memset(set, 0, size);
  CPU_SET_S(0, size, set);
  return 0;
}

/* Which pages are mapped depends on how the program was loaded. */
int __secateur_mincore(void *address, size_t size, unsigned char *pages) {
  (void)address, (void)size, (void)pages;
  errno = ENOSYS;
  return -1;
}

/* --- Chance --------------------------------------------------------------------------------- */

ssize_t __secateur_getrandom(void *bytes, size_t size, unsigned flags) {
  static uint64_t position;
  if (flags > 7) return errno = EINVAL, -1;
  if (size > (1 << 25) - 1) size = (1 << 25) - 1;
  for (size_t i = 0; i < size; i++) ((unsigned char *)bytes)[i] = world_random(position++);
  return (ssize_t)size;
}

int __secateur_getentropy(void *bytes, size_t size) {
  if (size > 256) return errno = EIO, -1;
  return __secateur_getrandom(bytes, size, 0) == (ssize_t)size ? 0 : -1;
}

void __secateur_arc4random_buf(void *bytes, size_t size) { __secateur_getrandom(bytes, size, 0); }

uint32_t __secateur_arc4random(void) {
  uint32_t value;
  __secateur_getrandom(&value, sizeof value, 0);
  return value;
}

uint32_t __secateur_arc4random_uniform(uint32_t bound) { return bound < 2 ? 0 : __secateur_arc4random() % bound; }

/* --- Users and groups ----------------------------------------------------------------------- */

static char user_name[] = "user", user_password[] = "x", user_comment[] = "", user_home[] = "/home/user",
            user_shell[] = "/bin/sh";
static char *no_members[1];

static struct passwd *the_user(void) {
  static struct passwd user;
  user = (struct passwd){user_name, user_password, WORLD_USER, WORLD_GROUP, user_comment, user_home, user_shell};
  return &user;
}

static struct group *the_group(void) {
  static struct group group;
  group = (struct group){user_name, user_password, WORLD_GROUP, no_members};
  return &group;
}

struct passwd *__secateur_getpwuid(uid_t user) { return user == WORLD_USER ? the_user() : NULL; }
struct passwd *__secateur_getpwnam(const char *name) { return strcmp(name, user_name) == 0 ? the_user() : NULL; }
struct group *__secateur_getgrgid(gid_t group) { return group == WORLD_GROUP ? the_group() : NULL; }
struct group *__secateur_getgrnam(const char *name) { return strcmp(name, user_name) == 0 ? the_group() : NULL; }
struct passwd *__secateur_getpwent(void) { return NULL; }
struct group *__secateur_getgrent(void) { return NULL; }
