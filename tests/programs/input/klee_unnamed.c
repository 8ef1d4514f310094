// Inputs without a name: `NULL`, the empty text, and an old harness that declares nothing and passes two arguments.
//! args: --cflag -std=gnu89 --cflag -Wno-everything
//! exits-some: 0 1 2 3
int main(void) {
  int a, b = klee_int(0), c = klee_int("");
  klee_make_symbolic(&a, sizeof a);
  if (a == 7)
    return 1;
  if (b == 8)
    return 2;
  return c == 9 ? 3 : 0;
}
