struct point { int x, y; double weight; };

int classify(int n) {
  switch (n) {
  case 0: return 1;
  case 1:
  case 2: return 5;
  default: return n < 0 ? -1 : 0;
  }
}

int fibonacci(int n) {
  int a = 0, b = 1;
  while (n-- > 0) {
    int next = a + b;
    a = b;
    b = next;
  }
  return a;
}

double weigh(struct point *points, int count, char *text) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += points[i].weight * points[i].x;
  text[count] = 'x';
  return sum;
}

__int128 wide(long a, unsigned __int128 b) { return a * (__int128)b; }

int main(int argc, char **argv) {
  struct point p = {argc, 2, 3.5};
  return classify(argc) + fibonacci(argc) + (int)weigh(&p, 1, argv[0]) + (int)wide(argc, 7);
}
