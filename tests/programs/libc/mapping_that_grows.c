// Memory that was mapped grows and shrinks with its content.
//! exits: 0
//! complete: yes
#define _GNU_SOURCE
#include <klee/klee.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
  size_t page = 4096;
  char *memory = mmap(0, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  memory[page - 1] = (char)klee_int("last");
  strcpy(memory, "start");
  char last = memory[page - 1];
  memory = mremap(memory, page, 3 * page, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED || strcmp(memory, "start") != 0 || memory[page - 1] != last) return 2;
  if (memory[page] != 0 || memory[3 * page - 1] != 0) return 3;
  memory[3 * page - 1] = 5;
  memory = mremap(memory, 3 * page, 2 * page - 5, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED || memory[page - 1] != last) return 4;
  if (mremap(memory, 2 * page, 0, MREMAP_MAYMOVE) != MAP_FAILED) return 5;
  return munmap(memory, 2 * page) == 0 ? 0 : 6;
}
