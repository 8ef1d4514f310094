/* getauxval(): what the system tells a program at its start. The C library of the machine consists of the same code
 * (runtime/libc/auxiliary.c). What depends on the processor and on addresses ends the path in the machine. */
#include <errno.h>
#include <sys/auxv.h>

enum { AUXILIARY_PAGE = 4096, AUXILIARY_TICKS = 100, AUXILIARY_ID = 1000 };

REPLACEABLE unsigned long getauxval(unsigned long what) {
  switch (what) {
    case AT_PAGESZ: return AUXILIARY_PAGE;
    case AT_CLKTCK: return AUXILIARY_TICKS;
    case AT_UID: case AT_EUID: case AT_GID: case AT_EGID: return AUXILIARY_ID;
    case AT_FLAGS: case AT_SECURE: return 0;
    case AT_NULL: case AT_IGNORE: case AT_EXECFD: case AT_NOTELF: break;
    default: if (what <= 64) return CANNOT_SHOW(what);
  }
  errno = ENOENT;
  return 0;
}
