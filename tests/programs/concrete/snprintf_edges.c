// Sizes and return values of snprintf and vsnprintf.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int format(char *out, size_t size, const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  int n = vsnprintf(out, size, f, ap);
  va_end(ap);
  return n;
}

int main(void) {
  char s[10];
  for (size_t size = 0; size <= sizeof s; size++) {
    memset(s, '#', sizeof s);
    int n = snprintf(s, size, "%d-%s", 123, "abc");
    printf("%zu %d ", size, n);
    for (size_t i = 0; i < sizeof s; i++)
      putchar(s[i] ? s[i] : '0');
    putchar('\n');
  }
  printf("%d\n", snprintf(NULL, 0, "%f", 1.5));
  printf("%d ", format(s, sizeof s, "%c%5.1f", '$', 9.25));
  puts(s);
  printf("%d %s\n", sprintf(s, "%x", 0xabcdef), s);
  return 0;
}
