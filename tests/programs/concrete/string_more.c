// Less common functions on strings.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void) {
  char buffer[40];
  char *end = stpcpy(stpcpy(buffer, "left"), "right");
  printf("%s %td\n", buffer, end - buffer);
  char *copy = strdup("duplicate"), *part = strndup("duplicate", 3);
  printf("%s %s\n", copy, part);
  free(copy);
  free(part);
  printf("%d %d\n", strcasecmp("HeLLo", "hEllO"), strncasecmp("ABCx", "abcy", 3));
  printf("%s\n", strcasestr("The Quick Fox", "quick"));
  char list[] = "a:b::c", *rest = list, *field;
  while ((field = strsep(&rest, ":")) != NULL)
    printf("[%s]", field);
  puts("");
  char *save, text[] = "x y  z";
  for (char *t = strtok_r(text, " ", &save); t; t = strtok_r(NULL, " ", &save))
    printf("{%s}", t);
  puts("");
  printf("%s\n", (char *)memrchr("a/b/c", '/', 5));
  printf("%s\n", (char *)memmem("needle in hay", 13, "in", 2));
  memset(buffer, 0, sizeof buffer);
  memccpy(buffer, "stop.here", '.', 9);
  printf("%s %s\n", buffer, strchrnul("none", 'z') == NULL ? "null" : "end");
  return 0;
}
