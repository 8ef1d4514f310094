/* The normal end of a program. Destructors are run by the machine, which knows them; the handlers
 * of atexit and the buffers of stdio are run and written here if the program uses them. */
#include "libc.h"

#include <stdlib.h>

static void nothing(void) {}

/* The files that hold the real functions are linked when something needs them. */
weak_alias(nothing, __funcs_on_exit);
weak_alias(nothing, __stdio_exit);

_Noreturn void exit(int status) {
  __funcs_on_exit();
  __stdio_exit();
  _Exit(status);
}
