// Shifts, divisions and remainders by variables and constants.
#include <stdio.h>

int main(void) {
  static volatile const int n[] = {0, 1, -1, 7, -7, 1000003, -1000003, 2147483647, -2147483647 - 1};
  for (int i = 0; i < 9; i++) {
    int x = n[i];
    unsigned u = (unsigned)x;
    printf("%d %d %d %d | ", x / 3, x % 3, x / -16, x % 16);
    printf("%u %u %u %u | ", u / 3, u % 3, u / 16, u % 1000);
    printf("%d %d %u %u | ", x >> 5, x >> 31, u >> 5, u << 9);
    for (int j = 3; j < 7; j++)
      printf("%d %d ", x / n[j], x % n[j]);
    puts("");
  }
  volatile unsigned long big = 0x8123456789abcdef;
  for (volatile int s = 0; s < 64; s += 9)
    printf("%lx %lx %lx\n", big >> s, big << s, (unsigned long)((long)big >> s));
  printf("%lu %lu %ld\n", big / 12345, big % 12345, (long)big / -77);
  return 0;
}
