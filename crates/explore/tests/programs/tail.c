/* Three branches, and then the code TAIL, which every path executes. */
#include <klee/klee.h>

void *malloc(unsigned long size);
void free(void *block);
void abort(void);
void __assert_fail(const char *text, const char *file, unsigned line, const char *function);
int __VERIFIER_nondet_int(void);
void unknown(int x);

typedef unsigned char unsigned_char;
typedef struct { int numbers[8]; } block;

static const char text[] = "text";
int numbers[4], letters[256], sum;
int *pointer = numbers;
static block *source;

static int twice(int x) { return 2 * x; }
int (*function)(int) = twice;
static int endless(int x) { return x > 5 ? 0 : endless(x + 1); }
static int take(block taken) { return taken.numbers[0]; }
static int copy(int x) {
  static block own;
  source = &own;
  return take(*source) + x;
}

int main(void) {
  int local[2] = {1, 2};
  unsigned char in[3];
  int x = 3;
  klee_make_symbolic(in, sizeof in, "in");
  if (in[0] > 100) x++;
  if (in[1] > 100) x += 2;
  if (in[2] > 100) x += 4;
  TAIL;
  (void)local, (void)text, (void)twice, (void)endless, (void)copy;
  return 0;
}
