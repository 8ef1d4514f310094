// One field of a structure on the stack is forgotten; an unused one does no harm.
// An optimising compiler takes what it likes for the undefined value.
//! args: --check uninit
//! levels: O0
//! exits: 0
#include <klee/klee.h>

struct job {
  int id;
  int priority;
  int unused;
};

volatile int urgent;

void submit(struct job *job) {
  if (job->priority > 5) //~ BUG uninitialised
    urgent++;
}

int main(void) {
  int x = klee_int("x");
  struct job job;
  job.id = x;
  if (x != 0)
    job.priority = x;
  submit(&job);
  return 0;
}
