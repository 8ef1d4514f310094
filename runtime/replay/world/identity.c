/* Who the program is, its limits, and chance. */
#define _GNU_SOURCE
#include "world.h"

#include <errno.h>
#include <fcntl.h>
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

int __secateur_setuid(uid_t user) { return user == (uid_t)-1 ? (errno = EINVAL, -1) : unchanged(user); }
int __secateur_setgid(gid_t group) { return __secateur_setuid(group); }

static int unchanged_or_kept(unsigned wanted) { return wanted == (unsigned)-1 ? 0 : unchanged(wanted); }

int __secateur_setresuid(uid_t real, uid_t effective, uid_t saved) {
  return unchanged_or_kept(real) | unchanged_or_kept(effective) | unchanged_or_kept(saved);
}
int __secateur_setresgid(gid_t, gid_t, gid_t) ALIAS(__secateur_setresuid);
int __secateur_setreuid(uid_t real, uid_t effective) { return unchanged_or_kept(real) | unchanged_or_kept(effective); }
int __secateur_setregid(gid_t, gid_t) ALIAS(__secateur_setreuid);
int __secateur_seteuid(uid_t user) { return unchanged_or_kept(user); }
int __secateur_setegid(gid_t) ALIAS(__secateur_seteuid);

int __secateur_getresuid(uid_t *real, uid_t *effective, uid_t *saved) {
  *real = *effective = *saved = WORLD_USER;
  return 0;
}
int __secateur_getresgid(gid_t *, gid_t *, gid_t *) ALIAS(__secateur_getresuid);

/* What only the superuser may do. */
static int refused(void) {
  errno = EPERM;
  return -1;
}

int __secateur_setgroups(size_t count, const gid_t *list) { return (void)count, (void)list, refused(); }
int __secateur_initgroups(const char *user, gid_t group) { return (void)user, (void)group, refused(); }
int __secateur_sethostname(const char *name, size_t size) { return (void)name, (void)size, refused(); }
int __secateur_setdomainname(const char *name, size_t size) { return (void)name, (void)size, refused(); }
int __secateur_settimeofday(const void *now, const void *zone) { return (void)now, (void)zone, refused(); }
int __secateur_clock_settime(int clock, const void *now) { return (void)clock, (void)now, refused(); }

int __secateur_chroot(const char *path) {
  struct real_path buffer;
  struct stat status;
  if (stat(world_path(path, &buffer), &status) != 0) return -1;
  if (!S_ISDIR(status.st_mode)) return errno = ENOTDIR, -1;
  return world_may(AT_FDCWD, path, X_OK, 0) != 0 ? -1 : refused();
}

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

static int niceness;

/* Whether the processes whose priority is meant are this one. */
static int is_own(int which, id_t who) {
  if (which < PRIO_PROCESS || which > PRIO_USER) return errno = EINVAL, 0;
  if (who == 0 || who == (which == PRIO_USER ? (id_t)WORLD_USER : (id_t)WORLD_PROCESS)) return 1;
  return errno = ESRCH, 0;
}

int __secateur_getpriority(int which, id_t who) { return is_own(which, who) ? niceness : -1; }

int __secateur_setpriority(int which, id_t who, int wanted) {
  if (!is_own(which, who)) return -1;
  if (wanted < -20) wanted = -20;
  if (wanted > 19) wanted = 19;
  if (wanted < niceness) return errno = EACCES, -1;
  niceness = wanted;
  return 0;
}

int __secateur_nice(int more) {
  int wanted = more > -40 && more < 40 ? niceness + more : more;
  if (__secateur_setpriority(PRIO_PROCESS, 0, wanted) == 0) return niceness;
  errno = EPERM;
  return -1;
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

/* As many of the user's groups as there is room for. */
int __secateur_getgrouplist(const char *user, gid_t group, gid_t *list, int *count) {
  int found = strcmp(user, user_name) == 0 && group != WORLD_GROUP ? 2 : 1;
  if (*count > 0) list[0] = group;
  if (found == 2 && *count > 1) list[1] = WORLD_GROUP;
  int fits = found <= *count;
  *count = found;
  return fits ? found : -1;
}

/* Nobody is logged in. */
char *__secateur_getlogin(void) { return errno = ENXIO, NULL; }
int __secateur_getlogin_r(char *name, size_t size) { return (void)name, (void)size, ENXIO; }
int __secateur_utmpxname(const char *path) { return (void)path, errno = ENOTSUP, -1; }
int __secateur_utmpname(const char *) ALIAS(__secateur_utmpxname);
void __secateur_setutxent(void) {}
void __secateur_setutent(void) {}
void __secateur_endutxent(void) {}
void __secateur_endutent(void) {}
struct utmpx *__secateur_getutxent(void) { return NULL; }
struct utmp *__secateur_getutent(void) { return NULL; }

long __secateur_gethostid(void) { return 0; }

int __secateur_getloadavg(double *averages, int count) {
  if (count <= 0) return count == 0 ? 0 : -1;
  if (count > 3) count = 3;
  for (int i = 0; i < count; i++) averages[i] = 0;
  return count;
}
