// on_exit and atexit run in turn, in reverse order; at_quick_exit is another list.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static void plain(void) { puts("plain"); }

static void told(int status, void *argument) { printf("told %d %s\n", status, (char *)argument); }

static void never(void) { puts("never"); }

int main(void) {
  printf("%d %d %d\n", on_exit(told, "first"), atexit(plain), on_exit(told, "second"));
  printf("%d\n", at_quick_exit(never));
  return 7;
}
