// A ring buffer, and searching and sorting in arrays.
//! unit: ring_put 4/4 --array-len 1
//! unit: ring_get 4/4 --array-len 1
//! unit: binary_search 8/8 --array-len 4 --non-null
//! unit: maximum 6/6 --array-len 3 --non-null
//! unit: sort_three 6/6 --array-len 3 --non-null
//! unit: average 2/2 --array-len 2 --non-null
#include <stdbool.h>
#include <stddef.h>

#define CAPACITY 4

struct ring {
  int values[CAPACITY];
  unsigned head, count;
};

bool ring_put(struct ring *ring, int value) {
  if (!ring || ring->count >= CAPACITY)
    return false;
  ring->values[(ring->head + ring->count) % CAPACITY] = value;
  ring->count++;
  return true;
}

bool ring_get(struct ring *ring, int *value) {
  if (ring->count == 0) //~[ring_get] BUG null-pointer
    return false;
  ring->head %= CAPACITY;
  if (value != NULL)
    *value = ring->values[ring->head];
  ring->head = (ring->head + 1) % CAPACITY;
  ring->count--;
  return true;
}

/* The array has `count` elements; the harness cannot know, so the function must not trust it. */
int binary_search(const int *sorted, unsigned count, int wanted) {
  if (count > 4)
    return -2;
  unsigned low = 0, high = count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (sorted[middle] == wanted)
      return (int)middle;
    if (sorted[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

long maximum(const long *values, size_t count) {
  long largest = 0;
  for (size_t i = 0; i < count && i < 3; i++)
    if (values[i] > largest)
      largest = values[i];
  return largest;
}

void sort_three(short *values) {
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < 2; i++)
      if (values[i] > values[i + 1]) {
        short larger = values[i];
        values[i] = values[i + 1];
        values[i + 1] = larger;
      }
}

/* Reads as many as it is told to. */
unsigned average(const unsigned char *values, unsigned char count) {
  unsigned sum = 0;
  for (unsigned i = 0; i < count; i++)
    sum += values[i]; //~[average] BUG out-of-bounds-read
  return sum / count; //~[average] BUG division-by-zero
}
