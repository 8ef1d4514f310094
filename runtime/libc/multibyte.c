/* Multibyte characters of the C locale: those of ASCII, as in glibc; every other byte is an error.
 *
 * musl has a wide character for every byte, which its regular expressions rely on. So its conversions go by names of
 * their own (scripts/libc-member.sh). */
#include "locale_impl.h"
#include "replaceable.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

size_t __musl_mbrtowc(wchar_t *restrict, const char *restrict, size_t, mbstate_t *restrict);
int __musl_mbtowc(wchar_t *restrict, const char *restrict, size_t);
size_t __musl_wcrtomb(char *restrict, wchar_t, mbstate_t *restrict);

static int is_ascii(wint_t c) { return c < 0x80; }

static int refused(void) {
  errno = EILSEQ;
  return -1;
}

REPLACEABLE size_t mbrtowc(wchar_t *restrict wide, const char *restrict s, size_t size, mbstate_t *restrict state) {
  if (!CURRENT_UTF8 && s && size > 0 && !is_ascii((unsigned char)*s)) return (size_t)refused();
  return __musl_mbrtowc(wide, s, size, state);
}

REPLACEABLE int mbtowc(wchar_t *restrict wide, const char *restrict s, size_t size) {
  if (!CURRENT_UTF8 && s && size > 0 && !is_ascii((unsigned char)*s)) return refused();
  return __musl_mbtowc(wide, s, size);
}

REPLACEABLE size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t limit,
                             mbstate_t *restrict state) {
  const char *s = *from;
  (void)state;
  for (size_t count = 0; !to || count < limit; count++, s++) {
    if (!is_ascii((unsigned char)*s)) {
      if (to) *from = s;
      return (size_t)refused();
    }
    if (to) to[count] = *s;
    if (!*s) {
      if (to) *from = 0;
      return count;
    }
  }
  *from = s;
  return limit;
}

REPLACEABLE size_t wcrtomb(char *restrict s, wchar_t wide, mbstate_t *restrict state) {
  if (!CURRENT_UTF8 && s && !is_ascii((wint_t)wide)) return (size_t)refused();
  return __musl_wcrtomb(s, wide, state);
}

REPLACEABLE wint_t btowc(int c) { return is_ascii((wint_t)c) ? (wint_t)c : WEOF; }

REPLACEABLE int wctob(wint_t c) { return is_ascii(c) ? (int)c : EOF; }

/* The name that glibc's header uses for some calls of mbrlen. */
REPLACEABLE size_t __mbrlen(const char *restrict s, size_t size, mbstate_t *restrict state) {
  return mbrlen(s, size, state);
}
