// Classes of characters answer with the bits of glibc's table, also where they are called through pointers.
#define _GNU_SOURCE
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <wctype.h>

static int (*const bytes[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph,
                                    islower, isprint, ispunct, isspace, isupper, isxdigit};
static int (*const wide[])(wint_t) = {iswalnum, iswalpha, iswblank, iswcntrl, iswdigit, iswgraph,
                                      iswlower, iswprint, iswpunct, iswspace, iswupper, iswxdigit};
static int (*const located[])(int, locale_t) = {isalpha_l, isdigit_l, isspace_l, ispunct_l};
static int (*const wide_located[])(wint_t, locale_t) = {iswalpha_l, iswdigit_l, iswspace_l, iswpunct_l};
static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                    "lower", "print", "punct", "space", "upper", "xdigit"};

int main(void) {
  locale_t c = newlocale(LC_ALL_MASK, "C", 0);
  for (int i = 0; i < 12; i++) {
    int last = -1;
    printf("%s:", names[i]);
    for (int k = 0; k < 256; k++)
      if (bytes[i](k) != last) printf(" %d=%x", k, last = bytes[i](k));
    for (int k = 0; k < 300; k += 7) printf(" %x/%d", wide[i]((wint_t)k), iswctype((wint_t)k, wctype(names[i])));
    putchar('\n');
  }
  for (int i = 0; i < 4; i++)
    for (int k = ' '; k < 127; k += 5) printf("%x %x ", located[i](k, c), wide_located[i]((wint_t)k, c));
  printf("\n%lu %d %d\n", (unsigned long)wctype("nothing"), towctrans('a', wctrans("toupper")), iswalpha(WEOF));
  return 0;
}
