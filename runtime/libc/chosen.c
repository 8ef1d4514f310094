/* Times and identities that are input (`--sym-time`, `--sym-ids`): replay has the same functions. */
#define _GNU_SOURCE
#include "replaceable.h"

#define SUBSTITUTED(name) name
#include "../replay/world/chosen.c"
