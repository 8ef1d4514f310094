// Floating point: results are compared to the bit, and one NaN is as good as another.
//! unit: clamp 4/4
//! unit: sign 4/4
//! unit: scale 2/2
//! unit: dot 0/0
//! unit: normalise 4/4 --array-len 1 --non-null
#include <stddef.h>

struct vector {
  float x, y, z;
};

double clamp(double value, double low, double high) {
  if (value < low)
    return low;
  if (value > high)
    return high;
  return value;
}

/* 2 for what is no number. */
int sign(float value) {
  if (value != value)
    return 2;
  if (value > 0.0f)
    return 1;
  return value < 0.0f ? -1 : 0;
}

struct vector scale(struct vector v, float by) {
  if (by != 1.5f)
    return v;
  v.x *= by;
  v.y *= by;
  v.z = v.x - v.x;
  return v;
}

double dot(const struct vector a, const struct vector b) { return (double)a.x * b.x + (double)a.y * b.y; }

int normalise(double *values) {
  if (values[0] == 0.0)
    return 0;
  if (values[0] > 8.0)
    values[0] = 8.0;
  values[0] /= 4.0;
  return 1;
}
