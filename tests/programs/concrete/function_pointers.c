// Tables of functions, callbacks, functions that return functions.
#include <stdio.h>
#include <string.h>

typedef double (*binary)(double, double);

static double add(double a, double b) { return a + b; }
static double sub(double a, double b) { return a - b; }
static double mul(double a, double b) { return a * b; }
static double quo(double a, double b) { return a / b; }

static const struct {
  char name;
  binary f;
} operators[] = {{'+', add}, {'-', sub}, {'*', mul}, {'/', quo}};

static binary find(char name) {
  for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].name == name)
      return operators[i].f;
  return NULL;
}

static double fold(binary f, const double *v, int n) {
  double r = v[0];
  for (int i = 1; i < n; i++)
    r = f(r, v[i]);
  return r;
}

static size_t count(const char *s) { return strlen(s) * 2; }

static size_t (*pick(int x))(const char *) { return x ? strlen : count; }

int main(void) {
  const double v[] = {100, 7, 3, 2};
  for (const char *p = "+-*/?"; *p; p++) {
    binary f = find(*p);
    if (f)
      printf("%c %g\n", *p, fold(f, v, 4));
    else
      printf("%c none\n", *p);
  }
  printf("%zu %zu\n", pick(1)("through"), pick(0)("a pointer"));
  return operators[2].f == mul;
}
