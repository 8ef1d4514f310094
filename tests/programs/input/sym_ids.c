// Symbolic identities, which stay the same.
//! args: --sym-ids
//! exits: 0 1 2 3
//! complete: yes
#include <string.h>
#include <unistd.h>

int main(void) {
  char name[65];
  if (getuid() == 0)
    return getuid() == 0 ? 1 : 20;
  if (getpid() <= 0)
    return 20;
  if (getegid() != getgid())
    return 2;
  if (gethostname(name, sizeof name) != 0)
    return 20;
  return name[0] == 'h' && name[1] == 0 ? 3 : 0;
}
