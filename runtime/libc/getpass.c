/* getpass(): replay has the same function, so that native runs never look for a terminal. */
#define _GNU_SOURCE
#include "replaceable.h"

#include "../replay/world/getpass.c"
