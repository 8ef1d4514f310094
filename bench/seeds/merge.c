/* Merges two lists into one, each of which is put in order before. */
#include "log.h"

#ifndef LENGTH
#define LENGTH 3
#endif

static void order(unsigned char *list) {
  for (int i = 1; i < LENGTH; i++)
    for (int j = i; j > 0 && list[j - 1] > list[j]; j--) {
      unsigned char other = list[j];
      list[j] = list[j - 1];
      list[j - 1] = other;
    }
}

static void merge(unsigned char *left, unsigned char *right, unsigned char *out) {
  int i = 0, j = 0, n = 0;
  order(left);
  order(right);
  while (i < LENGTH && j < LENGTH) {
    if (left[i] <= right[j]) out[n++] = left[i++];
    else out[n++] = right[j++];
  }
  record(out[0]);
  while (i < LENGTH) out[n++] = left[i++];
  while (j < LENGTH) out[n++] = right[j++];
}

int main(void) {
  unsigned char left[LENGTH], right[LENGTH], out[2 * LENGTH];
  SYM(left, "left");
  SYM(right, "right");
  merge(left, right, out);
  if (out[0] == out[2 * LENGTH - 1]) sink = 1;
  else sink = 2;
  return 0;
}
