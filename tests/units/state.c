// Global variables as input, and a function that leaves through `exit`.
//! unit: next_ticket 4/4 --sym-globals
//! unit: log_level 4/4 --sym-globals=verbosity
//! unit: deposit 6/6 --sym-globals=account
//! unit: toggle 2/2
//! unit: quit 2/2
#include <stdbool.h>
#include <stdlib.h>

static unsigned tickets = 3;
int verbosity = 1;
bool enabled;
const int limit = 10;

struct account {
  long balance;
  bool closed;
} account = {100, false};

unsigned next_ticket(void) {
  if (tickets >= (unsigned)limit)
    return 0;
  if (enabled)
    tickets++;
  return tickets;
}

const char *log_level(void) {
  if (verbosity < 0)
    return "silent";
  if (verbosity > 2)
    return "debug";
  return "info";
}

int deposit(unsigned char amount) {
  if (account.closed)
    return -1;
  if (account.balance < 0 || account.balance > 1000)
    return -2;
  account.balance += amount;
  return 0;
}

/* Without `--sym-globals`, the variable has its initial value. */
bool toggle(bool on) {
  if (on)
    enabled = !enabled;
  return enabled;
}

void quit(int status) {
  if (status == 7)
    exit(status);
}
