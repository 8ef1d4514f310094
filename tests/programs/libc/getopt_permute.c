// getopt finds options behind operands, and moves the operands to the end.
//! args: --sym-args 2 2 2
//! exits: 0 1 2 3 4 5
#include <unistd.h>

int main(int argc, char **argv) {
  int flags = 0, option;
  opterr = 0;
  while ((option = getopt(argc, argv, "xy:")) != -1) {
    if (option == '?')
      return optopt == 'y' ? 4 : 5;
    if (option == 'x' && optarg != NULL)
      return 10;
    flags += option == 'x';
  }
  for (int i = optind + 1; i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1] == 'x' && argv[optind][0] == 'o' && argv[optind - 1][0] != '-')
      return 11;
  }
  if (argc - optind == 1 && argv[1][0] == '-' && argv[2][0] == 'o')
    return flags == 1 ? 3 : 0;
  return flags > 2 ? 2 : flags;
}
