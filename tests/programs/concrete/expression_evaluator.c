// Expressions with precedence, brackets and unary minus.
#include <stdio.h>

static const char *s;
static int error;

static long expression(int level);

static long atom(void) {
  while (*s == ' ')
    s++;
  if (*s == '-') {
    s++;
    return -atom();
  }
  if (*s == '(') {
    s++;
    long v = expression(0);
    if (*s++ != ')')
      error = 1;
    return v;
  }
  if (*s < '0' || *s > '9') {
    error = 1;
    return 0;
  }
  long v = 0;
  while (*s >= '0' && *s <= '9')
    v = v * 10 + (*s++ - '0');
  return v;
}

static int level_of(char c) { return c == '+' || c == '-' ? 1 : c == '*' || c == '/' || c == '%' ? 2 : 0; }

static long expression(int level) {
  long v = atom();
  for (;;) {
    while (*s == ' ')
      s++;
    int l = level_of(*s);
    if (error || l == 0 || l <= level)
      return v;
    char op = *s++;
    long w = expression(l);
    if (w == 0 && (op == '/' || op == '%'))
      error = 2;
    else
      v = op == '+' ? v + w : op == '-' ? v - w : op == '*' ? v * w : op == '/' ? v / w : v % w;
  }
}

int main(void) {
  static const char *const tests[] = {"1 + 2 * 3", "(1 + 2) * 3", "10 - 4 - 3", "-2 * -(3 + 4)", "100 / 7 % 5", "2 *", "5 / (3 - 3)", "((7))", "9 * (8 - 6) + 70000000000"};
  long sum = 0;
  for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
    s = tests[i];
    error = 0;
    long v = expression(0);
    printf("%s = ", tests[i]);
    if (error)
      printf("error %d\n", error);
    else
      printf("%ld\n", v);
    sum += error ? 0 : v;
  }
  return (int)(sum % 100);
}
