// Arguments are compared with each other.
//! args: --sym-args 2 2 2
//! exits: 0 1
int main(int argc, char **argv) {
  if (argc != 3)
    return 9;
  char *a = argv[1], *b = argv[2];
  while (*a && *a == *b)
    a++, b++;
  if (*a == *b)
    return 1;
  return 0;
}
