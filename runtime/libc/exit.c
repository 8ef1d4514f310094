/* The normal end of a program: handlers of atexit, then destructors, then what stdio still buffers. */
#include "libc.h"

#include <stdlib.h>

static void nothing(void) {}

/* The files that hold the real functions are linked when something needs them. */
weak_alias(nothing, __funcs_on_exit);
weak_alias(nothing, __stdio_exit);

/* Implemented by the machine, which knows the program's destructors: the one of this index, in the
 * order in which they run, or a null pointer. */
typedef void destructor(void);
destructor *__secateur_destructor(unsigned long index);

/* For on_exit. */
int __secateur_exit_status;

_Noreturn void exit(int status) {
  destructor *run;
  __secateur_exit_status = status;
  __funcs_on_exit();
  for (unsigned long i = 0; (run = __secateur_destructor(i)); i++) run();
  __stdio_exit();
  _Exit(status);
}
