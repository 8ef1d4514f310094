// Between none and two arguments.
//! args: --sym-args 0 2 1
//! exits-some: 0 1 2
int main(int argc, char **argv) {
  if (argc < 1 || argv[argc] != 0)
    return 9;
  return argc - 1;
}
