/* Streams of wide characters, which are bytes of ASCII in the C locale. As in glibc, any other byte is an error and
 * stays in the stream. Characters beyond ASCII end the path as unsupported, since glibc writes something similar to
 * them: the function that is called then is defined nowhere. */
#include "replaceable.h"
#include "stdio_impl.h"

#include <errno.h>
#include <wchar.h>

void __secateur_wide_output_beyond_ascii(void);

REPLACEABLE wint_t fgetwc(FILE *f) {
  if (fwide(f, 1) <= 0) return WEOF;
  int c = getc_unlocked(f);
  if (c == EOF) return WEOF;
  if (c < 0x80) return (wint_t)c;
  f->rpos--;
  f->flags |= F_ERR;
  errno = EILSEQ;
  return WEOF;
}

wint_t __fgetwc_unlocked(FILE *f) { return fgetwc(f); }
weak_alias(__fgetwc_unlocked, fgetwc_unlocked);
weak_alias(__fgetwc_unlocked, getwc_unlocked);

REPLACEABLE wint_t ungetwc(wint_t c, FILE *f) {
  if (c == WEOF || fwide(f, 1) <= 0) return WEOF;
  if (c >= 0x80) __secateur_wide_output_beyond_ascii();
  return ungetc((int)c, f) == EOF ? WEOF : c;
}

REPLACEABLE wint_t fputwc(wchar_t c, FILE *f) {
  if (fwide(f, 1) <= 0) return WEOF;
  if ((unsigned)c >= 0x80) __secateur_wide_output_beyond_ascii();
  return putc_unlocked(c, f) == EOF ? WEOF : (wint_t)c;
}

wint_t __fputwc_unlocked(wchar_t c, FILE *f) { return fputwc(c, f); }
weak_alias(__fputwc_unlocked, fputwc_unlocked);
weak_alias(__fputwc_unlocked, putwc_unlocked);

REPLACEABLE int fputws(const wchar_t *restrict text, FILE *restrict f) {
  if (fwide(f, 1) <= 0) return EOF;
  for (; *text; text++)
    if (fputwc(*text, f) == WEOF) return EOF;
  return 1;
}

weak_alias(fputws, fputws_unlocked);
