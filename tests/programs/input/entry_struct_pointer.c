// A pointer to a structure.
//! args: --entry area --non-null
//! exits: 0
#include <assert.h>

struct rectangle {
  int width, height;
};

int area(const struct rectangle *r) {
  if (r->width < 0 || r->height < 0 || r->width > 1000 || r->height > 1000)
    return 0;
  assert(r->width * r->height != 6 * 9 || r->width != 6); //~ BUG assertion
  return 0;
}
