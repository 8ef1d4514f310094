// Addresses and differences of addresses in the initial values of globals.
//! exits: 0 1
#include <klee/klee.h>
#include <stddef.h>
#include <stdint.h>

struct s {
  char c;
  int a[5];
};

struct s object = {'o', {10, 11, 12, 13, 14}};
int *inside = &object.a[3];
char *end = (char *)&object + sizeof object;
size_t offset = offsetof(struct s, a[2]);
const char *text = &"constant"[3];
int (*self)(void);
int main(void);
int (*function)(void) = main;
uintptr_t number = (uintptr_t)&object.a[1];

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (*inside != 13 || end - (char *)inside != 8 || offset != 12)
    return 2;
  if (*text != 's' || function != main || self != NULL)
    return 3;
  if (*(int *)number != 11)
    return 4;
  if (i < 3 && inside[-(int)i] == 11)
    return 1;
  return 0;
}
