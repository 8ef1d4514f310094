// Constructors, destructors, atexit handlers and the order they run in.
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor(102))) static void early(void) { puts("early"); }
__attribute__((constructor)) static void late(void) { puts("late"); }
__attribute__((constructor(101))) static void first(void) { puts("first"); }
__attribute__((destructor)) static void fini(void) { puts("fini"); }
__attribute__((destructor(101))) static void very_last(void) { puts("very last"); }

static void one(void) { puts("one"); }
static void two(void) {
  puts("two");
  atexit(one);
}

int main(void) {
  puts("main");
  atexit(one);
  atexit(two);
  puts("end of main");
  exit(17);
}
