// Groups of arguments follow each other without gaps, however many there are of each.
//! args: --sym-args 0 1 1 --sym-args 0 1 1
//! exits: 0 1 2
int main(int argc, char **argv) {
  int dashes = 0;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-') dashes++;
  return argv[argc] == 0 ? dashes : 9;
}
