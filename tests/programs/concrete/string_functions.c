// string.h on ordinary strings.
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  char a[32] = "hello", b[32];
  printf("%zu %zu\n", strlen(a), strnlen("abcdef", 3));
  strcpy(b, a);
  strcat(b, ", ");
  strncat(b, "world wide", 5);
  puts(b);
  printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), sign(strcmp("x", "x")), sign(strcmp("ab", "a")));
  printf("%d %d\n", sign(strncmp("abcx", "abcy", 3)), sign(memcmp("\x80", "\x7f", 1)));
  printf("%s %s %s\n", strchr(b, 'o'), strrchr(b, 'o'), strstr(b, "wor"));
  printf("%d %d\n", strchr(b, 'z') == NULL, strchr(b, 0) == b + strlen(b));
  printf("%zu %zu %s\n", strspn("aabbc", "ab"), strcspn("aabbc", "c"), strpbrk("key=value", "=:"));
  char t[] = ",one,,two;three,";
  for (char *p = strtok(t, ",;"); p; p = strtok(NULL, ",;"))
    printf("<%s>", p);
  puts("");
  memmove(a + 1, a, 5);
  a[6] = 0;
  puts(a);
  memset(a, '-', 3);
  puts(a);
  printf("%s\n", (char *)memchr("find me", 'm', 7));
  return (int)strlen(b);
}
