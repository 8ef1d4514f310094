// Obstacks: objects that grow, more than a chunk of them, and what is freed with the first.
//! args: --sym-stdin 1
//! exits: 0 1
//! complete: yes
#include <obstack.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

int main(void) {
  struct obstack all;
  char byte;
  if (read(0, &byte, 1) != 1) return 9;
  obstack_init(&all);
  char *first = obstack_copy0(&all, "first", 5);
  for (int i = 0; i < 5000; i++) obstack_1grow(&all, (char)(i == 4000 ? byte : 'a'));
  if (obstack_object_size(&all) != 5000) return 8;
  char *second = obstack_finish(&all);
  int *number = obstack_alloc(&all, sizeof *number);
  *number = 7;
  if (strcmp(first, "first") != 0 || second[3999] != 'a' || (unsigned long)number % 8 != 0) return 7;
  int result = 0;
  if (second[4000] == 'b') result = 1;
  obstack_free(&all, second);
  char *third = obstack_copy0(&all, "third", 5);
  if (third != second || strcmp(first, "first") != 0) return 6;
  obstack_free(&all, NULL);
  return result;
}
