/* The world of a test, natively: programs see the files, clocks and names that the machine showed them.
 *
 * Secateur makes the calls of a program to these functions go to `__secateur_NAME` instead; the list is
 * in crates/program/src/interposed.rs. Files are real ones, in a folder that plays the root. What the
 * system decides in its own way (numbers of inodes, times, the order of entries) is replaced by what
 * crates/machine/src/posix says. */
#ifndef SECATEUR_WORLD_H
#define SECATEUR_WORLD_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* These are the values of crates/machine/src/posix. */
enum {
  WORLD_NOW = 1700000000,
  WORLD_SINCE_BOOT = 1000,
  WORLD_USED_NANOSECONDS = 10000000,
  WORLD_USER = 1000,
  WORLD_GROUP = 1000,
  WORLD_PROCESS = 4242,
  WORLD_PARENT = 4241,
  WORLD_DESCRIPTORS = 256,
};

/* The working directory at the start, below the root. */
#define WORLD_HOME "/home/user"

/* A path of the system. */
struct real_path {
  char text[2 * PATH_MAX];
};

/* Where a path of the program is in the system. */
const char *world_path(const char *path, struct real_path *buffer);
/* The same, relative to a descriptor: then only absolute paths change. */
const char *world_path_at(int folder, const char *path, struct real_path *buffer);
/* Whether a path is the root, which has no name that can be changed; sets errno then. */
int world_is_root(const char *path);
/* Whether a folder, or the working directory for AT_FDCWD, is the one that plays the root, so that its `..` is itself. */
int world_leads_to_root(int folder);
/* Where a path of the system is for the program. */
const char *world_inside(const char *path);

/* The path of the device that a file of the folder which plays /dev stands for; NULL if it is none of these. */
const char *world_device(const struct stat *status);
/* As `fstatat` of a path of the system, but devices are themselves, however they are found. */
int world_look(int folder, const char *path, struct stat *status, int flags);

/* Replaces what the system says by what the machine said. */
void world_status(struct stat *status);
/* The number of an inode: they are counted in the order in which the program looks at them. */
uint64_t world_inode(dev_t device, ino_t inode);
/* Checks that the owner of a file may do this (R_OK, W_OK, X_OK); sets errno if not. Whoever runs the
 * test may be allowed to do anything. */
int world_may(int folder, const char *path, int wanted, int flags);
/* The random byte at a position. */
unsigned char world_random(uint64_t position);

/* Opens a file as `openat` does. */
int world_open(int folder, const char *path, int flags, mode_t mode);

#define ALIAS(name) __attribute__((alias(#name)))

#endif
