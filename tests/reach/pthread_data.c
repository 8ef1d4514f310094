// INPUT 3
#include "target.h"
#include <pthread.h>
static int shared;
static void *run(void *a) {
  shared = *(int *)a;
  return 0;
}
int main(void) {
  int x = in();
  pthread_t t;
  pthread_create(&t, 0, run, &x);
  pthread_join(t, 0);
  if (shared == 3)
    target();
  return 0;
}
