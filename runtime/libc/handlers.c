/* on_exit: handlers that are told the exit code. They run in turn with those of atexit. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <stdlib.h>

int on_exit(void (*)(int, void *), void *);
int __cxa_atexit(void (*)(void *), void *, void *);

/* Set by exit. */
extern int __secateur_exit_status;

struct handler {
  void (*function)(int, void *);
  void *argument;
};

static void run(void *context) {
  struct handler *handler = context;
  handler->function(__secateur_exit_status, handler->argument);
}

REPLACEABLE int on_exit(void (*function)(int, void *), void *argument) {
  struct handler *handler = malloc(sizeof *handler);
  if (!handler) return -1;
  *handler = (struct handler){function, argument};
  return __cxa_atexit(run, handler, 0);
}
