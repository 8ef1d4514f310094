// Wrap-around and sign extension at every width.
#include <stdint.h>
#include <stdio.h>

int main(void) {
  volatile uint8_t a = 250;
  volatile int8_t b = -100;
  volatile uint16_t c = 65530;
  volatile int16_t d = -30000;
  volatile uint32_t e = 4294967290u;
  volatile int32_t f = -2000000000;
  volatile uint64_t g = 18446744073709551610ul;
  for (int i = 0; i < 12; i++) {
    a++;
    c += 3;
    e += 5;
    g += 7;
    b = (int8_t)(b - 9);
    d = (int16_t)(d - 900);
    f = (int32_t)((uint32_t)f - 50000000u);
    printf("%u %d %u %d %u %d %lu\n", a, b, c, d, e, f, g);
  }
  printf("%d %d %u\n", (int8_t)a, (uint8_t)b, (uint16_t)d);
  printf("%ld %lu\n", (int64_t)f, (uint64_t)f);
  printf("%d %d\n", -7 / 2, -7 % 2);
  printf("%d %d\n", 7 / -2, 7 % -2);
  return (uint8_t)(a * 3);
}
