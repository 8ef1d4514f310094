// A search for a character by vector instructions, as optimised libraries have it.
//! exits-some: 0 1 2 3
//! complete: yes

#include <emmintrin.h>
#include <klee/klee.h>

int main(void) {
  char text[16];
  klee_make_symbolic(text, sizeof text, "text");
  __m128i found = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)text), _mm_set1_epi8('/'));
  int mask = _mm_movemask_epi8(found);
  if (mask == 0)
    return 0;
  if (__builtin_ctz((unsigned)mask) > 7)
    return 1;
  return mask & (mask - 1) ? 2 : 3;
}
