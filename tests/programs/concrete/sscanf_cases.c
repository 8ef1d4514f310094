// Reading formatted text.
#include <stdio.h>

int main(void) {
  int a = 0, b = 0, n = 0;
  unsigned x = 0;
  char s[20] = "", t[20] = "", c = 0;
  double d = 0;
  float f = 0;
  long l = 0;
  printf("%d", sscanf("12 -34", "%d %d", &a, &b));
  printf(" %d %d\n", a, b);
  printf("%d", sscanf("key=value", "%[a-z]=%s", s, t));
  printf(" %s %s\n", s, t);
  printf("%d", sscanf("ff 0x1F 077", "%x %i %o", &x, &a, (unsigned *)&b));
  printf(" %u %d %d\n", x, a, b);
  printf("%d", sscanf("3.5e2 -0.25", "%lf %f", &d, &f));
  printf(" %g %g\n", d, (double)f);
  printf("%d", sscanf("12345", "%2d%c%n%3ld", &a, &c, &n, &l));
  printf(" %d %c %d %ld\n", a, c, n, l);
  printf("%d\n", sscanf("abc", "%d", &a));
  printf("%d\n", sscanf("", "%d", &a));
  printf("%d", sscanf("skip 9", "%*s %d", &a));
  printf(" %d\n", a);
  printf("%d", sscanf("a,b", "%[^,],%c", s, &c));
  printf(" %s %c\n", s, c);
  printf("%d\n", sscanf("100%", "%d%%", &a));
  return a;
}
