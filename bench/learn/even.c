// Every path is as good as any other: the sides taken so far make a number, and its hash decides what is covered. No
// condition on the input says which alternatives are worth more, so to drop any can only lose.
//
// secateur run bench/learn/even.c --sym-stdin 10 --learn --learn-by paths --max-paths 600 --learn-rounds 20

#include <stdio.h>

int main(void) {
  unsigned char text[10];
  if (fread(text, 1, sizeof text, stdin) != sizeof text) return 1;
  unsigned code = 0;
  for (unsigned i = 0; i < sizeof text; i++) {
    code *= 2;
    if (text[i] >= 128) code++;
  }
  unsigned hash = code * 2654435761u >> 24;
  // One outcome for each of many numbers.
#define IS(n) if (hash == (n)) return 10;
#define IS4(n) IS(n) IS((n) + 1) IS((n) + 2) IS((n) + 3)
#define IS16(n) IS4(n) IS4((n) + 4) IS4((n) + 8) IS4((n) + 12)
#define IS64(n) IS16(n) IS16((n) + 16) IS16((n) + 32) IS16((n) + 48)
  IS64(0)
  IS64(64)
  IS64(128)
  IS64(192)
  return 0;
}
