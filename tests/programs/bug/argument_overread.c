// An argument ends at its first 0, and so does what may be read of it.
//! args: --sym-args 1 1 3
//! exits-some: 0 1
int main(int argc, char **argv) {
  volatile char second = argv[argc - 1][1]; //~ BUG out-of-bounds-read
  return second == 'q';
}
