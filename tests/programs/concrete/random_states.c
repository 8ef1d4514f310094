// States of random numbers that the program keeps: random, its reentrant version, and that of drand48.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static const size_t sizes[] = {7, 8, 31, 32, 64, 100, 128, 255, 256, 400};
  static int state[100], other[100];
  printf("%ld %ld\n", random(), random());
  for (int i = 0; i < 10; i++) {
    char *old = initstate(42, (char *)state, sizes[i]);
    printf("%d:", old != 0);
    for (int k = 0; k < 5; k++) printf(" %ld", random());
    if (old) setstate(old);
    printf(" %ld\n", random());
  }
  initstate(1, (char *)state, 64);
  random();
  initstate(1, (char *)other, 128);
  printf("%ld", random());
  printf(" %d", setstate((char *)state) == (char *)other);
  printf(" %ld\n", random());
  struct random_data data;
  memset(&data, 0, sizeof data);
  int32_t number;
  printf("%d\n", initstate_r(7, (char *)state, 32, &data));
  for (int i = 0; i < 9; i++) printf("%d ", random_r(&data, &number) == 0 ? number : -1);
  printf("%d\n", srandom_r(0, &data) == 0 && random_r(&data, &number) == 0 ? number : -1);
  struct drand48_data data48;
  memset(&data48, 0, sizeof data48);
  unsigned short x[3] = {1, 2, 3}, parameters[7] = {1, 2, 3, 4, 5, 6, 7};
  double real;
  long integer;
  for (int round = 0; round < 3; round++) {
    drand48_r(&data48, &real);
    printf("%.17g ", real);
    erand48_r(x, &data48, &real);
    printf("%.17g ", real);
    lrand48_r(&data48, &integer);
    printf("%ld ", integer);
    mrand48_r(&data48, &integer);
    printf("%ld ", integer);
    jrand48_r(x, &data48, &integer);
    printf("%ld\n", integer);
    if (round == 0) srand48_r(-5, &data48);
    if (round == 1) lcong48_r(parameters, &data48);
  }
  seed48_r(x, &data48);
  nrand48_r(x, &data48, &integer);
  printf("%ld %x\n", integer, data48.__old_x[0]);
  return 0;
}
