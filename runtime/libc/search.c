/* Hash tables, which say why nothing is found; musl's do not. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <search.h>

ENTRY *__musl_hsearch(ENTRY, ACTION);

REPLACEABLE ENTRY *hsearch(ENTRY entry, ACTION action) {
  ENTRY *found = __musl_hsearch(entry, action);
  if (!found && action == FIND) errno = ESRCH;
  return found;
}
