// The vector intrinsics of x86-64 that compilers do not turn into ordinary operations on vectors.
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

/* Bytes with all kinds of signs and sizes. */
static unsigned char some[] = {0,  1,  127, 128, 129, 255, 254, 64, 200, 100, 3,  77, 5,   250, 17, 33,
                               31, 15, 8,   7,   192, 12,  0,   99, 128, 0,   64, 1,  255, 255, 2,  90};

static void show(const char *what, __m128i value) {
  unsigned char bytes[16];
  memcpy(bytes, &value, sizeof bytes);
  printf("%s ", what);
  for (int i = 0; i < 16; i++)
    printf("%02x", bytes[i]);
  putchar('\n');
}

#define SHOW(call) show(#call, call)

static void integers(__m128i a, __m128i b) {
  printf("%x\n", (unsigned)_mm_movemask_epi8(a));
  SHOW(_mm_packs_epi16(a, b));
  SHOW(_mm_packs_epi32(a, b));
  SHOW(_mm_packus_epi16(a, b));
  SHOW(_mm_madd_epi16(a, b));
  SHOW(_mm_mulhi_epi16(a, b));
  SHOW(_mm_mulhi_epu16(a, b));
  SHOW(_mm_mul_epu32(a, b));
  SHOW(_mm_sad_epu8(a, b));
  SHOW(_mm_avg_epu8(a, b));
  SHOW(_mm_avg_epu16(a, b));
  SHOW(_mm_adds_epi8(a, b));
  SHOW(_mm_subs_epu8(a, b));
  SHOW(_mm_max_epi16(a, b));
  SHOW(_mm_min_epu8(a, b));
  SHOW(_mm_cmpgt_epi8(a, b));
  SHOW(_mm_unpackhi_epi8(a, b));
  SHOW(_mm_shufflelo_epi16(a, 0x1b));
  SHOW(_mm_slli_si128(a, 3));
  SHOW(_mm_srli_si128(a, 5));
}

static void shifts(__m128i a) {
  for (int by = 0; by <= 70; by += 7) {
    __m128i amount = _mm_cvtsi32_si128(by);
    SHOW(_mm_sll_epi16(a, amount));
    SHOW(_mm_srl_epi32(a, amount));
    SHOW(_mm_sll_epi64(a, amount));
    SHOW(_mm_sra_epi16(a, amount));
    SHOW(_mm_sra_epi32(a, amount));
    SHOW(_mm_slli_epi32(a, by));
    SHOW(_mm_srli_epi64(a, by));
    SHOW(_mm_srai_epi16(a, by));
  }
  SHOW(_mm_srl_epi16(a, _mm_set_epi64x(0, 1L << 32)));
}

static void floats(void) {
  float numbers[] = {1.5f, -2.5f, 0.0f, 3e9f, -3e9f, -0.0f, __builtin_nanf(""), __builtin_inff()};
  __m128 a = _mm_loadu_ps(numbers), b = _mm_loadu_ps(numbers + 4);
  printf("%d\n", _mm_movemask_ps(a));
  SHOW(_mm_castps_si128(_mm_min_ps(a, b)));
  SHOW(_mm_castps_si128(_mm_max_ps(b, a)));
  SHOW(_mm_castps_si128(_mm_min_ss(b, a)));
  SHOW(_mm_castps_si128(_mm_cmplt_ps(b, a)));
  SHOW(_mm_castps_si128(_mm_cmpunord_ss(a, b)));
  SHOW(_mm_castps_si128(_mm_cmpnle_ss(a, b)));
  SHOW(_mm_cvtps_epi32(a));
  SHOW(_mm_cvttps_epi32(b));
  __m128d c = _mm_set_pd(-1e300, 2.5), d = _mm_set_pd(0.5, 2.5);
  SHOW(_mm_cvtpd_epi32(c));
  SHOW(_mm_cvttpd_epi32(d));
  SHOW(_mm_castpd_si128(_mm_max_pd(c, d)));
  printf("%d %d\n", _mm_movemask_pd(c), _mm_cvtsd_si32(d));
  printf("%d %lld\n", _mm_cvttss_si32(b), _mm_cvttsd_si64(_mm_set_sd(-9e18)));
  printf("%d %d %d\n", _mm_comilt_ss(b, a), _mm_ucomieq_sd(c, d), _mm_comige_sd(c, d));
  printf("%d %d\n", _mm_comineq_ss(_mm_shuffle_ps(b, b, 2), a), _mm_comieq_ss(_mm_shuffle_ps(b, b, 2), a));
}

__attribute__((target("sse4.2"))) static void later(__m128i a, __m128i b) {
  SHOW(_mm_shuffle_epi8(a, b));
  SHOW(_mm_shuffle_epi8(a, _mm_set_epi8(15, 0, 1, -1, 3, 7, 7, 7, -128, 9, 10, 2, 4, 14, 31, 0)));
  SHOW(_mm_maddubs_epi16(a, b));
  SHOW(_mm_mulhrs_epi16(a, b));
  SHOW(_mm_hadd_epi16(a, b));
  SHOW(_mm_hsub_epi32(a, b));
  SHOW(_mm_sign_epi8(a, b));
  SHOW(_mm_abs_epi16(a));
  SHOW(_mm_alignr_epi8(a, b, 5));
  SHOW(_mm_packus_epi32(a, b));
  SHOW(_mm_blendv_epi8(a, b, _mm_add_epi8(a, b)));
  SHOW(_mm_castps_si128(_mm_blendv_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _mm_castsi128_ps(b))));
  SHOW(_mm_mullo_epi32(a, b));
  printf("%d %d %d\n", _mm_testz_si128(a, b), _mm_testc_si128(a, a), _mm_testz_si128(a, _mm_setzero_si128()));
  unsigned sum = _mm_crc32_u8(~0u, 'a');
  sum = _mm_crc32_u16(sum, 0x1234);
  sum = _mm_crc32_u32(sum, 0xdeadbeef);
  printf("%x %llx\n", sum, _mm_crc32_u64(sum, 0x123456789abcdef0));
}

int main(void) {
  __m128i a = _mm_loadu_si128((const __m128i *)some), b = _mm_loadu_si128((const __m128i *)(some + 16));
  integers(a, b);
  integers(b, a);
  shifts(a);
  floats();
  later(a, b);
  later(b, a);
  _mm_pause();
  _mm_mfence();
  return 0;
}
