// Details in which C libraries differ: what is returned for unusual arguments, and what is left in errno.
#define _GNU_SOURCE
#include <errno.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void dates(void) {
  time_t far = (time_t)1 << 40, farther = (time_t)1 << 60;
  printf("%s", asctime(gmtime(&far)));
  errno = 0;
  printf("%d", gmtime(&farther) == NULL);
  printf(" %d\n", errno);
  struct tm odd = {.tm_wday = 9, .tm_mon = 15, .tm_mday = -2, .tm_year = 8000};
  printf("%s", asctime(&odd));
  char text[26];
  errno = 0;
  printf("%d", asctime_r(&odd, text) != NULL);
  odd.tm_hour = 123456;
  printf(" %d", asctime_r(&odd, text) != NULL);
  printf(" %d\n", errno);
}

static void suboptions(void) {
  char text[] = "ro,size=5,foo=1,,siz";
  char *const names[] = {"ro", "size", NULL};
  char *rest = text, *value;
  while (*rest) {
    int found = getsubopt(&rest, names, &value);
    printf("%d %s\n", found, value ? value : "none");
  }
}

static void tables(void) {
  hcreate(10);
  ENTRY entry = {"key", "data"};
  hsearch(entry, ENTER);
  printf("%d\n", hsearch(entry, FIND) != NULL);
  entry.key = "other";
  errno = 0;
  printf("%d", hsearch(entry, FIND) != NULL);
  printf(" %d\n", errno);
}

static void lines(void) {
  static char text[2000];
  memset(text, 'x', sizeof text);
  text[100] = text[300] = text[1900] = '\n';
  FILE *f = fmemopen(text, sizeof text, "r");
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  while ((length = getline(&line, &size, f)) > 0)
    printf("%zd %zu\n", length, size);
  free(line);
  fclose(f);
}

static void expressions(void) {
  regex_t compiled;
  regmatch_t found[3];
  printf("%d %zu\n", regcomp(&compiled, "(a)(b|c)*d", REG_EXTENDED), compiled.re_nsub);
  printf("%d", regexec(&compiled, "xxabcbd", 3, found, 0));
  printf(" %d %d %d %d\n", found[0].rm_so, found[0].rm_eo, found[2].rm_so, found[2].rm_eo);
  char message[60];
  for (int error = 0; error <= 16; error++)
    printf("%zu %s\n", regerror(error, NULL, message, sizeof message), message);
}

int main(void) {
  dates();
  suboptions();
  tables();
  lines();
  expressions();
  return 0;
}
