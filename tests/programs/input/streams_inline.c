// What glibc's headers offer inline when they are optimised: natively, streams have other buffers.
//! args: --sym-stdin 3
//! exits: 0 1 2
//! complete: yes
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
  int first = getchar_unlocked(), second = getc_unlocked(stdin);
  putchar_unlocked('a');
  putchar('b');
  fputc_unlocked('c', stdout);
  putc_unlocked(first == 'x' ? 'x' : '-', stdout);
  putchar_unlocked('\n');
  if (first == EOF || second == EOF) return 3;
  if (feof_unlocked(stdin) || ferror_unlocked(stdout)) return 4;
  if (first == 'x') return 1;
  if (fgetc_unlocked(stdin) == second) return 2;
  return 0;
}
