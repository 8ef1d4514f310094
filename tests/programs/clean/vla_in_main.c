// Variable-length arrays in `main`, which are gone before it returns.
//! exits: 0 1
//! complete: yes

#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char size;
  klee_make_symbolic(&size, sizeof size, "size");
  klee_assume(size >= 4);
  klee_assume(size <= 6);
  int squares[size];
  for (int i = 0; i < size; i++)
    squares[i] = i * i;
  char text[size + 1];
  memset(text, 'x', size);
  text[size] = 0;
  return squares[size - 1] == 16 && strlen(text) == 5;
}
