/* What exit does for stdio: flushes the buffers. */
#include "stdio_impl.h"

static FILE *volatile unused;
weak_alias(unused, __stdout_used);
weak_alias(unused, __stderr_used);

static void flush(FILE *f) {
  if (f && f->wpos != f->wbase) f->write(f, 0, 0);
}

void __stdio_exit(void) {
  for (FILE *f = *__ofl_lock(); f; f = f->next) flush(f);
  flush(__stdout_used);
  flush(__stderr_used);
}

/* The files through which a program first reads or writes call this to have this file linked. */
weak_alias(__stdio_exit, __stdio_exit_needed);
