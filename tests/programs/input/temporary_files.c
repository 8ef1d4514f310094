// Temporary files, a private mapping of a file, and users.
//! args: --sym-stdin 3
//! exits: 0 1
//! given-up: fork always fails
#define _GNU_SOURCE
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char name[] = "/tmp/aXXXXXX", other[] = "/tmp/aXXXXXX", text[4] = "", bytes[8];
  int file = mkstemp(name);
  struct stat status;
  if (file < 0 || mkdtemp(other) == NULL || strcmp(name, other) >= 0) return 80;
  if (read(0, text, 3) != 3 || write(file, text, 3) != 3) return 81;
  char *map = mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  char *zero = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED || zero == MAP_FAILED || zero[8191] != 0 || munmap(zero, 8192) != 0) return 82;
  map[0]++;
  if (pread(file, text, 1, 0) != 1 || (char)(text[0] + 1) != map[0] || map[3] != 0) return 83;
  FILE *f = tmpfile();
  if (f == NULL || fprintf(f, "%d", text[1]) < 1) return 84;
  rewind(f);
  int value = 1000;
  if (fscanf(f, "%d", &value) != 1 || value != text[1]) return 85;
  if (fstat(fileno(f), &status) != 0 || status.st_nlink != 0) return 86;
  struct passwd *user = getpwuid(getuid());
  if (user == NULL || strcmp(user->pw_dir, "/home/user") != 0 || getpwnam("nobody") != NULL) return 87;
  if (getrandom(bytes, 8, 0) != 8 || getrandom(bytes + 4, 4, 0) != 4 || bytes[0] == bytes[4]) return 88;
  if (fork() != -1) return 89;
  if (map[2] == 'z') return 1;
  return 0;
}
