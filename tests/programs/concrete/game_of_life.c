// A glider on a torus.
#include <stdio.h>
#include <string.h>

#define W 12
#define H 8

int main(void) {
  static char now[H][W], next[H][W];
  now[0][1] = now[1][2] = now[2][0] = now[2][1] = now[2][2] = 1;
  for (int g = 0; g < 25; g++) {
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            n += (dx || dy) && now[(y + dy + H) % H][(x + dx + W) % W];
        next[y][x] = n == 3 || (n == 2 && now[y][x]);
      }
    memcpy(now, next, sizeof now);
    if (g % 6 == 0) {
      for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++)
          putchar(now[y][x] ? '#' : '.');
        putchar('\n');
      }
      puts("---");
    }
  }
  int alive = 0;
  for (unsigned i = 0; i < sizeof now; i++)
    alive += ((char *)now)[i];
  return alive;
}
