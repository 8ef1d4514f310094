/* <fts.h>: replay has the same functions, so that native runs walk in the same order. */
#define _GNU_SOURCE
#include "replaceable.h"

#include "../replay/world/fts.c"
