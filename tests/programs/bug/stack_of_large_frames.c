// A few calls with large variables overflow the stack; memory of ours does not pay for it.
//! exits:
__attribute__((noinline)) int descend(int n) { //~ BUG stack-overflow
  volatile char large[1 << 20];
  large[n & 1023] = (char)n;
  return n == 0 ? large[5] : descend(n - 1) + large[7];
}

int main(void) { return descend(100000); }
