// Thread-locals, statics, weak symbols and aliases.
#include <stdio.h>

static _Thread_local int counter = 5;
__thread char name[8] = "thread";
int base(int x) { return x + counter; }
int other(int) __attribute__((alias("base")));
__attribute__((weak)) int overridable(void) { return 1; }
extern int missing(void) __attribute__((weak));
static int tentative;
int tentative_too;

static int next(void) {
  static int state = 100;
  static _Thread_local int local;
  return state++ + ++local;
}

int main(void) {
  counter += 10;
  name[0] = 'T';
  printf("%s %d %d\n", name, base(1), other(2));
  printf("%d %d\n", overridable(), missing != NULL);
  for (int i = 0; i < 3; i++)
    printf("%d ", next());
  printf("\n%d %d\n", tentative, tentative_too);
  int *p = &counter;
  *p = 3;
  return counter;
}
