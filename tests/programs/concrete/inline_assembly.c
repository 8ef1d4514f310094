// The inline assembly of common headers: searches for bits, wide products, carries, swapped bytes, barriers.
#include <stdint.h>
#include <stdio.h>

static unsigned lowest(uint32_t value) {
  unsigned found = 99;
  __asm__("bsfl %1,%0" : "=r"(found) : "r"(value), "0"(found) : "cc");
  return found;
}

static uint64_t highest(uint64_t value) {
  uint64_t found;
  __asm__("bsrq %1, %0" : "=r"(found) : "r"(value));
  return found;
}

static int lowest_of_wide(uint64_t value) {
  int found;
  __asm__("bsfq\t%1, %q0" : "=r"(found) : "r"(value));
  return found;
}

static uint64_t trailing(uint64_t value) {
  uint64_t found;
  __asm__("rep; nop\n\tmovq %1, %0\n\tnop" : "=&r"(found) : "r"(value));
  return found;
}

static void product(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
  __asm__("mulq %3" : "=a"(*low), "=d"(*high) : "%0"(a), "r"(b));
}

static void product32(uint32_t a, uint32_t b, uint32_t *high, uint32_t *low) {
  __asm__("mull %3" : "=a"(*low), "=d"(*high) : "0"(a), "r"(b) : "cc");
}

static void sum(uint64_t *high, uint64_t *low, uint64_t a, uint64_t b) {
  __asm__("addq %5,%q1\n\tadcq %3,%q0" : "=r"(*high), "=&r"(*low) : "0"(*high), "r"(a), "1"(*low), "r"(b) : "cc");
}

static void difference(uint64_t *high, uint64_t *low, uint64_t a, uint64_t b) {
  __asm__("sub{q} {%5,%1|%1,%5}\n\tsbb{q} {%3,%0|%0,%3}"
          : "=r"(*high), "=&r"(*low)
          : "0"(*high), "r"(a), "1"(*low), "r"(b)
          : "cc");
}

static uint32_t swapped(uint32_t value) {
  __asm__("bswap %0" : "+r"(value));
  return value;
}

static uint16_t swapped16(uint16_t value) {
  __asm__("rorw $8, %w0" : "+r"(value) : : "cc");
  return value;
}

int main(void) {
  static const uint64_t values[] = {1, 2, 3, 0x80, 0xffff, 0x12345678, 0x80000000, 0x123456789abcdef0, UINT64_MAX};
  enum { COUNT = sizeof values / sizeof *values };
  for (int i = 0; i < COUNT; i++) {
    uint64_t a = values[i], b = values[(i + 4) % COUNT], high, low;
    uint32_t high32, low32;
    printf("%d ", lowest_of_wide(a));
    printf("%u %lu %lx %x %x\n", lowest((uint32_t)a | 1U << 31), (unsigned long)highest(a), (unsigned long)trailing(a),
           swapped((uint32_t)a), swapped16((uint16_t)a));
    product(a, b, &high, &low);
    product32((uint32_t)a, (uint32_t)b, &high32, &low32);
    printf("%lx %lx %x %x\n", (unsigned long)high, (unsigned long)low, high32, low32);
    sum(&high, &low, a, UINT64_MAX - b);
    printf("%lx %lx\n", (unsigned long)high, (unsigned long)low);
    difference(&high, &low, b, a);
    printf("%lx %lx\n", (unsigned long)high, (unsigned long)low);
    __asm__ volatile("pause" ::: "memory");
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
  }
  return 0;
}
