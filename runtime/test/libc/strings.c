/* Every function of string.h, on short strings and at their edges. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static long at(const void *base, const void *p) { return p ? (const char *)p - (const char *)base : -1; }

int main(void) {
  static const char *const words[] = {"", "a", "b", "ab", "abc", "abcabc", "aXbXc", "\xff\x80", "hello, world", "world"};
  enum { COUNT = sizeof words / sizeof *words };
  for (int i = 0; i < COUNT; i++) {
    const char *s = words[i];
    char copy[64], *end;
    printf("%s: %zu %zu", s, strlen(s), strnlen(s, 3));
    for (const char *c = "ab,\xff"; ; c++) {
      printf(" %ld/%ld/%ld/%ld/%ld", at(s, strchr(s, *c)), at(s, strrchr(s, *c)), at(s, strchrnul(s, *c)),
             at(s, memchr(s, *c, strlen(s))), at(s, memrchr(s, *c, strlen(s))));
      if (!*c) break;
    }
    memset(copy, '#', sizeof copy);
    end = stpcpy(copy, s);
    printf(" %ld %.*s", at(copy, end), 20, copy);
    memset(copy, '#', sizeof copy);
    end = stpncpy(copy, s, 4);
    printf(" %ld %02x%02x%02x%02x%02x", at(copy, end), copy[0] & 255, copy[1] & 255, copy[2] & 255, copy[3] & 255, copy[4] & 255);
    strcpy(copy, "<");
    strcat(copy, s);
    strncat(copy, s, 2);
    printf(" %s", copy);
    memset(copy, 0, sizeof copy);
    end = memccpy(copy, s, 'b', strlen(s) + 1);
    printf(" %ld %s\n", at(copy, end), copy);
    for (int j = 0; j < COUNT; j++) {
      const char *t = words[j];
      size_t shorter = strlen(s) < strlen(t) ? strlen(s) : strlen(t);
      printf("%d%d%d%d%d %zu %zu %ld %ld %ld %ld;", sign(strcmp(s, t)), sign(strncmp(s, t, 2)), sign(memcmp(s, t, shorter)),
             sign(strcasecmp(s, t)), sign(strncasecmp(s, t, 1)), strspn(s, t), strcspn(s, t), at(s, strstr(s, t)),
             at(s, strpbrk(s, t)), at(s, strcasestr(s, t)), at(s, memmem(s, strlen(s), t, strlen(t))));
    }
    puts("");
  }
  char overlap[16] = "0123456789";
  memmove(overlap + 2, overlap, 6);
  puts(overlap);
  memmove(overlap, overlap + 3, 6);
  puts(overlap);
  char line[] = "one,,two;three", *rest = line, *token;
  while ((token = strsep(&rest, ",;"))) printf("[%s]", token);
  char again[] = ",,one,two;;three;";
  for (token = strtok(again, ",;"); token; token = strtok(NULL, ",;")) printf("(%s)", token);
  char *duplicate = strdup("copied"), *part = strndup("copied", 3);
  printf("%s %s %ld %s %s\n", duplicate, part, at(duplicate, rawmemchr(duplicate, 'i')), basename("a/b/c"), basename("c/"));
  free(duplicate);
  free(part);
  printf("%s, %s, %d %d\n", strerror(2), strerror(22), ffs(0x50), sign(strverscmp("a9", "a10")));
  char message[4];
  printf("%s\n", strerror_r(2, message, sizeof message));
  return 0;
}
