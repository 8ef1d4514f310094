// What is in front of the first variable of each section belongs to nobody.
//! exits: 0
#include <klee/klee.h>

int zeros[4];
int numbers[4] = {1, 2, 3, 4};
const int constants[4] = {5, 6, 7, 8};
const char *const names[4] = {"a", "b", "c", "d"};

__attribute__((noinline)) int read_zeros(const volatile int *table, int i) {
  return table[i]; //~ BUG out-of-bounds-read
}

__attribute__((noinline)) int read_numbers(const volatile int *table, int i) {
  return table[i]; //~ BUG out-of-bounds-read
}

__attribute__((noinline)) int read_constants(const volatile int *table, int i) {
  return table[i]; //~ BUG out-of-bounds-read
}

__attribute__((noinline)) int read_names(const char *const volatile *table, int i) {
  return table[i] == 0; //~ BUG out-of-bounds-read
}

int main(void) {
  int i = klee_range(-1, 4, "i");
  switch (klee_range(0, 4, "where")) {
  case 0:
    return read_zeros(zeros, i) != 0;
  case 1:
    return read_numbers(numbers, i) == 0;
  case 2:
    return read_constants(constants, i) == 0;
  default:
    return read_names(names, i);
  }
}
