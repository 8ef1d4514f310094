/* Calls that fail on request (`--fail-calls`): replay has the same functions. */
#define _GNU_SOURCE
#include "replaceable.h"

#define SUBSTITUTED(name) name
#include "../replay/world/failing.c"
