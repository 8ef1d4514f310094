// Calls that fail on request, at most one on each path: memory, files, names.
//! args: --fail-calls 1
//! exits-some: 0 1 2 3 4 5 6 7 8 9 10 11
//! complete: yes
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char *text = malloc(8);
  if (text == NULL)
    return errno == ENOMEM ? 1 : 20;
  struct stat status;
  int file = open("new", O_RDWR | O_CREAT, 0600);
  if (file < 0)
    return errno == EMFILE ? 2 : 3;
  if (write(file, "hello", 5) != 5)
    return errno == ENOSPC ? 4 : 5;
  if (fstat(file, &status) != 0)
    return errno == ENOMEM ? 6 : 20;
  if (pread(file, text, 5, 0) != 5 || memcmp(text, "hello", 5) != 0)
    return 7;
  // The descriptor is closed in any case.
  if (close(file) != 0)
    return fcntl(file, F_GETFD) == -1 ? 8 : 20;
  FILE *stream = fopen("new", "r");
  if (stream == NULL)
    return 9;
  if (fclose(stream) != 0)
    return 10;
  if (unlink("new") != 0)
    return 11;
  free(text);
  return 0;
}
