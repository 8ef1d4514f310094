// Nested structures, unions, copies, compound literals, designated initialisers.
#include <stddef.h>
#include <stdio.h>

struct point {
  int x, y;
};
struct shape {
  enum { CIRCLE, RECTANGLE, POLYGON } kind;
  union {
    struct {
      struct point center;
      double radius;
    };
    struct point corners[2];
    struct {
      int n;
      const struct point *points;
    } polygon;
  };
};

static double measure(struct shape s) {
  switch (s.kind) {
  case CIRCLE:
    return 3.0 * s.radius * s.radius;
  case RECTANGLE:
    return (s.corners[1].x - s.corners[0].x) * (s.corners[1].y - s.corners[0].y);
  default: {
    double twice = 0;
    for (int i = 0; i < s.polygon.n; i++) {
      struct point p = s.polygon.points[i], q = s.polygon.points[(i + 1) % s.polygon.n];
      twice += p.x * q.y - p.y * q.x;
    }
    return twice / 2;
  }
  }
}

int main(void) {
  struct shape shapes[] = {
      {.kind = CIRCLE, .center = {1, 2}, .radius = 2.5},
      {.kind = RECTANGLE, .corners = {{0, 0}, {4, 5}}},
      {.kind = POLYGON, .polygon = {3, (const struct point[]){{0, 0}, {6, 0}, {0, 7}}}},
  };
  for (int i = 0; i < 3; i++) {
    struct shape copy = shapes[i];
    printf("%d %.2f\n", copy.kind, measure(copy));
  }
  struct point *p = &(struct point){.y = 9};
  printf("%d %d %zu %zu\n", p->x, p->y, offsetof(struct shape, polygon), sizeof(struct shape));
  int sparse[10] = {[3] = 30, [7] = 70, 80};
  for (int i = 0; i < 10; i++)
    printf("%d ", sparse[i]);
  puts("");
  return shapes[1].corners[1].y;
}
