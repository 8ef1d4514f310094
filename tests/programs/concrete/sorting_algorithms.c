// Five sorting algorithms agree.
#include <stdio.h>
#include <string.h>

#define N 40

static void bubble(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < n - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1], a[j + 1] = t;
      }
}
static void insertion(int *a, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
      int t = a[j];
      a[j] = a[j - 1], a[j - 1] = t;
    }
}
static void quick(int *a, int n) {
  if (n < 2)
    return;
  int pivot = a[n / 2], i = 0, j = n - 1;
  for (;; i++, j--) {
    while (a[i] < pivot)
      i++;
    while (a[j] > pivot)
      j--;
    if (i >= j)
      break;
    int t = a[i];
    a[i] = a[j], a[j] = t;
  }
  quick(a, i);
  quick(a + i, n - i);
}
static void shell(int *a, int n) {
  for (int gap = n / 2; gap; gap /= 2)
    for (int i = gap; i < n; i++)
      for (int j = i - gap; j >= 0 && a[j] > a[j + gap]; j -= gap) {
        int t = a[j];
        a[j] = a[j + gap], a[j + gap] = t;
      }
}

int main(void) {
  static void (*const sorts[])(int *, int) = {bubble, insertion, quick, shell};
  int original[N], a[N], reference[N];
  unsigned seed = 99;
  for (int i = 0; i < N; i++)
    original[i] = (int)((seed = seed * 69069 + 1) >> 20) % 200;
  for (int s = 0; s < 4; s++) {
    memcpy(a, original, sizeof a);
    sorts[s](a, N);
    if (s == 0)
      memcpy(reference, a, sizeof a);
    printf("%d %d\n", s, memcmp(a, reference, sizeof a) == 0);
  }
  for (int i = 0; i < N; i++)
    printf("%d ", reference[i]);
  puts("");
  return 0;
}
