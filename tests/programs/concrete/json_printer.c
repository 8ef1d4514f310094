// A recursive-descent parser of JSON prints what it reads.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *p;

static void spaces(void) {
  while (isspace((unsigned char)*p))
    p++;
}

static int value(int depth) {
  spaces();
  if (*p == '{' || *p == '[') {
    char close = *p++ == '{' ? '}' : ']';
    int n = 0;
    printf("%*s%s\n", depth * 2, "", close == '}' ? "object" : "array");
    for (spaces(); *p != close; spaces()) {
      if (close == '}') {
        if (!value(depth + 1))
          return 0;
        spaces();
        if (*p++ != ':')
          return 0;
      }
      if (!value(depth + 1))
        return 0;
      n++;
      spaces();
      if (*p == ',')
        p++;
      else if (*p != close)
        return 0;
    }
    p++;
    printf("%*send of %d\n", depth * 2, "", n);
    return 1;
  }
  if (*p == '"') {
    const char *start = ++p;
    while (*p && *p != '"')
      p++;
    printf("%*s<%.*s>\n", depth * 2, "", (int)(p - start), start);
    return *p++ == '"';
  }
  char *end;
  double d = strtod(p, &end);
  if (end == p)
    return 0;
  p = end;
  printf("%*s%g\n", depth * 2, "", d);
  return 1;
}

int main(void) {
  p = " {\"name\": \"secateur\", \"n\": [1, -2.5, 3e2, []], \"o\": {\"x\": 0}} ";
  int ok = value(0);
  p = "[1, 2";
  int bad = value(0);
  printf("%d %d\n", ok, bad);
  return ok * 2 + bad;
}
