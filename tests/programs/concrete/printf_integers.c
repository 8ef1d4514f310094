// Integer conversions with flags, widths and precisions.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
  printf("%d %i %u %o %x %X %c %%\n", -42, 42, 42u, 42u, 42u, 42u, 'c');
  printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
  printf("[%.3d] [%8.3d] [%-8.3d] [%+.3d] [%.0d]\n", 7, 7, 7, 7, 0);
  printf("[%#o] [%#x] [%#X] [%#x]\n", 8u, 255u, 255u, 0u);
  printf("[%*d] [%-*d] [%.*d]\n", 6, 1, 6, 2, 4, 3);
  printf("%hhd %hd %ld %lld %zu %td %jd\n", (signed char)-1, (short)-300, LONG_MIN, LLONG_MAX, sizeof(int), (ptrdiff_t)-5, (intmax_t)99);
  printf("%hhu %hu %lu %llx\n", (unsigned char)255, (unsigned short)65535, ULONG_MAX, 0xfeedfacecafebeefULL);
  printf("%" PRId64 " %" PRIu32 " %" PRIx16 " %" PRIo8 "\n", INT64_MIN, UINT32_MAX, (uint16_t)0xbeef, (uint8_t)0377);
  printf("%d %d %d\n", INT_MIN, INT_MAX, 0);
  return 3;
}
