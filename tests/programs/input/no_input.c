// A program without symbolic input runs once.
//! exits: 7
//! paths: 1
#include <stdio.h>

int main(void) {
  puts("nothing to explore");
  return 7;
}
