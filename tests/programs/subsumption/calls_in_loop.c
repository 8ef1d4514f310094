// Calls in a loop that change a structure through a pointer and keep its invariant.
//! exits: 0
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

struct tank {
  int level, open;
};

static void fill(struct tank *tank) {
  if (tank->level < 3)
    tank->level++;
  else
    tank->open = 1;
}

static void drain(struct tank *tank) {
  if (tank->open && tank->level > 0)
    tank->level--;
  if (tank->level == 0)
    tank->open = 0;
}

int main(void) {
  struct tank tank = {0, 0};
  for (int i = 0; i < 6; i++) {
    if (__VERIFIER_nondet_bool())
      fill(&tank);
    else
      drain(&tank);
    assert(tank.level >= 0 && tank.level <= 3);
    assert(!tank.open || tank.level > 0);
  }
  return 0;
}
