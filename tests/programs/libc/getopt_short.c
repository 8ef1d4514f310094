// The C library parses an option.
//! args: --sym-args 1 1 3
//! exits: 0 1 2 3
#include <unistd.h>

int main(int argc, char **argv) {
  opterr = 0;
  switch (getopt(argc, argv, "ab:")) {
  case 'a':
    return 1;
  case 'b':
    return 3;
  case '?':
    return 2;
  }
  return 0;
}
