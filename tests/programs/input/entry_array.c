// A pointer to integers stands for an array.
//! args: --entry sum --non-null
//! exits: 0
#include <assert.h>

int sum(const int *a) {
  if (a[0] == 10 && a[1] == 20)
    assert(0 && "ten and twenty"); //~ BUG assertion
  return 0;
}
