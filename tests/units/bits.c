// Bit tricks on integers of several widths, and bit-fields.
//! unit: count_bits 2/2
//! unit: is_power_of_two 2/2
//! unit: rotate 2/2
//! unit: saturating_add 4/4
//! unit: set_mode 6/6 --array-len 1 --non-null
//! unit: high_bit 4/4
//! unit: square_class 3/4
#include <limits.h>
#include <stdint.h>

int count_bits(uint8_t value) {
  int bits = 0;
  while (value) {
    value &= (uint8_t)(value - 1);
    bits++;
  }
  return bits;
}

_Bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

uint32_t rotate(uint32_t value, unsigned by) {
  by %= 32;
  if (by == 0)
    return value;
  return value << by | value >> (32 - by);
}

int saturating_add(int a, int b) {
  long long sum = (long long)a + b;
  if (sum > INT_MAX)
    return INT_MAX;
  if (sum < INT_MIN)
    return INT_MIN;
  return (int)sum;
}

struct mode {
  unsigned read : 1, write : 1;
  int level : 4;
  _Bool locked;
};

int set_mode(struct mode *mode, _Bool write) {
  if (mode->locked)
    return -1;
  if (write && !mode->read)
    return -2;
  mode->write = write;
  mode->level = -3;
  return 0;
}

int high_bit(unsigned __int128 value) {
  if (value >> 127)
    return 127;
  if (value >> 64)
    return 64;
  return 0;
}

/* No square leaves 2 when divided by 4: one side of the second branch cannot be taken. */
int square_class(uint16_t value) {
  uint32_t rest = (uint32_t)value * value % 4;
  if (value == 0)
    return 0;
  if (rest == 2)
    return -1;
  return rest == 0 ? 4 : 1;
}
