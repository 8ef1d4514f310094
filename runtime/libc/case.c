/* The tables behind glibc's tolower and toupper, for the indices -128 to 255. musl's do
 * not cover bytes above 127, where glibc's leave the character unchanged. */
#include <stdint.h>

const int32_t **__ctype_tolower_loc(void);
const int32_t **__ctype_toupper_loc(void);

#define LOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + 'a' - 'A' : (c))
#define UPPER(c) ((c) >= 'a' && (c) <= 'z' ? (c) - 'a' + 'A' : (c))
#define BYTES_8(map, c) \
  map((c)), map((c) + 1), map((c) + 2), map((c) + 3), map((c) + 4), map((c) + 5), map((c) + 6), map((c) + 7)
#define BYTES_64(map, c)                                                                            \
  BYTES_8(map, (c)), BYTES_8(map, (c) + 8), BYTES_8(map, (c) + 16), BYTES_8(map, (c) + 24),         \
      BYTES_8(map, (c) + 32), BYTES_8(map, (c) + 40), BYTES_8(map, (c) + 48), BYTES_8(map, (c) + 56)
/* A negative char is the byte with the same bits, except for -1, which is EOF. */
#define TABLE(map)                                                                                  \
  {                                                                                                 \
    BYTES_64(map, 128), BYTES_64(map, 192), BYTES_64(map, 0), BYTES_64(map, 64), BYTES_64(map, 128), \
        BYTES_64(map, 192), [127] = -1                                                              \
  }

#pragma clang diagnostic ignored "-Winitializer-overrides"
static const int32_t lower[384] = TABLE(LOWER), upper[384] = TABLE(UPPER);
static const int32_t *const lower_zero = lower + 128, *const upper_zero = upper + 128;

const int32_t **__ctype_tolower_loc(void) { return (const int32_t **)&lower_zero; }
const int32_t **__ctype_toupper_loc(void) { return (const int32_t **)&upper_zero; }
