// The name of the file to open is symbolic: it may be the file that exists, the folder, or none.
//! args: --sym-args 1 1 1 --sym-file A 4
//! exits-some: 0 1 2 3
//! complete: yes
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int file = open(argv[1], O_RDONLY);
  if (file < 0) return 1;
  char bytes[4];
  if (read(file, bytes, 4) != 4) return 3;
  return bytes[0] == 'x' ? 2 : 0;
}
