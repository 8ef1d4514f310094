// A message is freed on an error and still read afterwards.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int error = klee_int("error");
  volatile char *message = malloc(4);
  message[0] = 'm';
  if (error == -1)
    free((void *)message);
  char c = message[0]; //~ BUG use-after-free
  if (error != -1)
    free((void *)message);
  return c == 0;
}
