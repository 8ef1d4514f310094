// What is left of a standard stream that is closed, or that cannot be opened again.
//! args: --sym-stdin 1
//! exits: 0 1
//! complete: yes
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int first = getchar();
  if (freopen("", "r", stdin) != NULL || errno != ENOENT) return 2;
  if (fileno(stdin) != -1 || errno != EBADF || fcntl(0, F_GETFD) != -1) return 3;
  if (freopen("new", "w", stdin) != stdin || fileno(stdin) != 0) return 4;
  if (fputs("text", stdin) < 0 || fflush(stdin) != 0) return 5;
  if (freopen("new", "r", stdin) != stdin || fileno(stdin) != 0 || getchar() != 't') return 6;
  if (fclose(stdin) != 0 || fileno(stdin) != -1) return 7;
  if (first == 'x') return 1;
  return 0;
}
