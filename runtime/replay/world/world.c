/* All of it, to be compiled at once. */
#include "paths.c"

#include "clock.c"
#include "files.c"
#include "folders.c"
#include "identity.c"
#include "status.c"
