/* <sys/auxv.h>: replay has the same function. */
#define _GNU_SOURCE
#include "replaceable.h"

/* Defined nowhere, so that calling it ends the path as unsupported. */
unsigned long __secateur_getauxval_of_the_processor(unsigned long);
#define CANNOT_SHOW(what) __secateur_getauxval_of_the_processor(what)

#include "../replay/world/auxiliary.c"

weak_alias(getauxval, __getauxval);
