/* The C locale: names, multibyte and wide characters, what it says of itself, patterns with bytes outside of ASCII. */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static const char *shown(const char *text) { return text ? text : "null"; }

static void names(void) {
  static const char *const asked[] = {"", "C", "POSIX", "de_XX.UTF-8", "c", "."};
  for (int category = -1; category < 14; category++) {
    printf("%s ", shown(setlocale(category, NULL)));
    for (int i = 0; i < 6; i++) {
      errno = 0;
      const char *name = setlocale(category, asked[i]);
      printf("%s %d ", shown(name), name ? 0 : errno == EINVAL);
    }
  }
  setenv("LC_NUMERIC", "POSIX", 1);
  printf("%s ", shown(setlocale(LC_ALL, "")));
  setenv("LANG", "xx_XX", 1);
  printf("%s %s ", shown(setlocale(LC_ALL, "")), shown(setlocale(LC_NUMERIC, "")));
  unsetenv("LANG");
  locale_t plain = newlocale(LC_ALL_MASK, "", NULL);
  printf("%d %d %s\n", plain != NULL, newlocale(LC_ALL_MASK, "xx", NULL) != NULL, nl_langinfo_l(CODESET, plain));
  for (nl_item item = ABDAY_1; item <= ERA_T_FMT; item++) printf("%s|", nl_langinfo(item));
  printf("%s|%s|%s|%s|%s|%s|%s\n", nl_langinfo(CODESET), nl_langinfo(RADIXCHAR), nl_langinfo(THOUSEP), nl_langinfo(CRNCYSTR),
         nl_langinfo(YESEXPR), nl_langinfo(NOEXPR), nl_langinfo(-1));
}

static void bytes(void) {
  printf("%d\n", (int)MB_CUR_MAX);
  for (int b = 0; b < 256; b++) {
    char s[2] = {(char)b, 0};
    wchar_t wide = 77, pair[2] = {77, 77};
    char32_t c = 77;
    mbstate_t state = {0};
    errno = 0;
    printf("%d: %zd %d %d ", b, mbrtowc(&wide, s, 1, &state), (int)wide, errno);
    printf("%d %d %d ", mbtowc(&wide, s, 1), (int)wide, mblen(s, 1));
    printf("%zd %d %zd ", mbstowcs(pair, s, 2), (int)pair[0], mbstowcs(NULL, s, 0));
    printf("%zd %d ", mbrlen(s, 1, &state), (int)mbrtoc32(&c, s, 1, &state));
    printf("%d %d\n", (int)btowc(b), mbsinit(&state));
  }
  wchar_t wide[8] = {0};
  const char *from = "ab\303z", *begin = from;
  printf("%zd ", mbsrtowcs(wide, &from, 8, NULL));
  printf("%td %d %d ", from - begin, (int)wide[1], (int)wide[2]);
  from = begin;
  printf("%zd ", mbsrtowcs(wide, &from, 2, NULL));
  printf("%td ", from - begin);
  printf("%zd ", mbsnrtowcs(wide, &from, 0, 8, NULL));
  from = "ab";
  printf("%zd %d ", mbsrtowcs(wide, &from, 8, NULL), from == NULL);
  printf("%d %d %d %zd\n", mbtowc(NULL, NULL, 0), mbtowc(wide, "a", 0), mblen(NULL, 0), mbrtowc(wide, "a", 0, NULL));
}

static void wide_characters(void) {
  static const wint_t tried[] = {0x80, 0x85, 0xa0, 0xdf, 0xe4, 0x100, 0x3b1, 0x2028, 0x20ac, 0xdf80, 0xdfff, 0x1f600, 0x110000, WEOF};
  for (wint_t i = 0; i < 128 + 14; i++) {
    wint_t c = i < 128 ? i : tried[i - 128];
    char text[MB_LEN_MAX + 1] = "z";
    wchar_t string[2] = {(wchar_t)c, 0};
    mbstate_t state = {0};
    errno = 0;
    printf("%x: %zd %d %d ", c, wcrtomb(text, (wchar_t)c, &state), text[0], errno);
    printf("%d %zd %d ", wctomb(text, (wchar_t)c), wcstombs(text, string, 4), wctob(c));
    printf("%d%d%d%d%d%d%d%d%d%d%d%d ", !!iswalnum(c), !!iswalpha(c), !!iswblank(c), !!iswcntrl(c), !!iswdigit(c), !!iswgraph(c),
           !!iswlower(c), !!iswprint(c), !!iswpunct(c), !!iswspace(c), !!iswupper(c), !!iswxdigit(c));
    printf("%x %x %d %d\n", towlower(c), towupper(c), wcwidth((wchar_t)c), !!iswctype(c, wctype("alpha")));
  }
}

static void patterns(void) {
  static const char *const tried[] = {"\344", "[\344]", "[^a]", ".", "[[:alpha:]]", "[\200-\377]", "a\344*", "[[:print:]]"};
  for (int i = 0; i < 8; i++) {
    regex_t regex;
    printf("%d", regcomp(&regex, tried[i], REG_EXTENDED | REG_NOSUB));
    printf("%d%d ", regexec(&regex, "\344", 0, NULL, 0), regexec(&regex, "a\344\344", 0, NULL, 0));
    regfree(&regex);
    printf("%d%d ", fnmatch(tried[i], "\344", 0), fnmatch(tried[i], "a\344", 0));
  }
  printf("%d %d\n", strcoll("\344", "z") > 0, strverscmp("a1", "a10") < 0);
}

int main(void) {
  names();
  bytes();
  wide_characters();
  patterns();
  return 0;
}
