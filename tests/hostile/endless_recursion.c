// A recursion without end that carries little, beside much that is pending.
#include <klee/klee.h>
static int down(int n, int x) { return x == n ? n : down(n + 1, x) + 1; }
int main(void) { return down(0, klee_int("x")); }
