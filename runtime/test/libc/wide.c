// Wide characters: formatted input and output, numbers, streams.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static const wchar_t *const texts[] = {
    L"",        L" ",       L"12",      L"-12 x",     L"+7,8",    L"0x1fg",   L"0x",       L"0xg",        L"017 9",
    L"08",      L"abc def", L"  \t\nq", L"1e5",       L"1e+",     L".5.",     L"-inf",     L"infinityx",  L"nan(3)",
    L"0x1.8p3", L"(nil)",   L"%d",      L"\u00e9tat", L"a\u00e9", L"--1",     L"99999999999999999999", L"1 2 3",
    L"]-^x",    L"+",       L"1.5e-400", L"12abc34",  L"x12",     L"i",       L"infi",     L"\x20ac 5",   L"a-b",
};

static const wchar_t *const formats[] = {
    L"%d",     L"%3d",   L"%i",     L"%2i",   L"%o",   L"%u",    L"%x",    L"%3x",  L"%p",   L"%hd",  L"%hhd",
    L"%ld",    L"%lld",  L"%jd",    L"%zu",   L"%td",  L" %d",   L"%d,",   L"x%d",  L"%%",   L"%d%%", L"%*d",
    L"q%d",    L"\u00e9%d", L"abc %i", L"%1$d",
};

static const wchar_t *const text_formats[] = {
    L"%s",    L"%ls",    L"%S",      L"%c",      L"%lc",      L"%C",     L"%3c",    L"%3lc",     L"%2s",     L"%2ls",
    L"%[abc]", L"%l[abc]", L"%[^ ]", L"%l[^ ]",  L"%[a-z]",   L"%l[a-f0-9]", L"%[]x-]", L"%l[^]]", L"%2[a-z]", L"%[\u00e0-\u00ff]",
    L"%l[\u00e0-\u00ff]", L"%*s%s", L"%*c%ls", L"%*[a-c]%lc", L"%[z-a]", L"%l[a-c-e]", L"%[^",
};

static void print_bytes(const void *bytes, size_t length) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < length; i++) printf("%02x", b[i]);
}

static void scan_integers(void) {
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
      long long value = 0x5555555555555555;
      errno = 0;
      int done = swscanf(texts[t], formats[f], &value);
      printf("int %zu %zu: %d %llx %d\n", t, f, done, value, errno);
      wchar_t counted[32];
      int at = -1;
      value = 0x5555555555555555;
      wcscpy(counted, formats[f]);
      wcscat(counted, L"%n");
      done = swscanf(texts[t], counted, &value, &at);
      if (formats[f][0] == L'%' && formats[f][1] != L'*' && formats[f][1] != L'%' && formats[f][1] != L'1')
        printf("at %zu %zu: %d %d\n", t, f, done, at);
    }
  }
}

static void scan_texts(void) {
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    for (size_t f = 0; f < sizeof text_formats / sizeof *text_formats; f++) {
      unsigned char to[64];
      memset(to, 0x55, sizeof to);
      errno = 0;
      int done = swscanf(texts[t], text_formats[f], to);
      printf("text %zu %zu: %d %d ", t, f, done, errno);
      /* glibc writes a second zero after text of bytes; that is left out. */
      wchar_t last = text_formats[f][wcslen(text_formats[f]) - 1];
      int is_text = done == 1 && (last == L's' || last == L']') && !wcschr(text_formats[f], L'l');
      print_bytes(to, is_text ? strlen((char *)to) : sizeof to);
      printf("\n");
    }
    wchar_t *wide = 0;
    char *plain = 0;
    int done = swscanf(texts[t], L"%mls", &wide);
    printf("allocated %zu: %d %d", t, done, wide ? (int)wcslen(wide) : -1);
    free(wide);
    done = swscanf(texts[t], L"%ms", &plain);
    printf(" %d %s\n", done, plain ? plain : "none");
    free(plain);
  }
}

static void scan_reals(void) {
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    float single = 77;
    double value = 77;
    long double extended = 77;
    int at = -1, done = swscanf(texts[t], L"%f%n", &single, &at);
    printf("real %zu: %d %a %d", t, done, single, at);
    at = -1;
    done = swscanf(texts[t], L"%lg%n", &value, &at);
    printf(" %d %a %d", done, value, at);
    at = -1;
    done = swscanf(texts[t], L"%4Lf%n", &extended, &at);
    printf(" %d %La %d\n", done, extended, at);
  }
}

static void convert(void) {
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    wchar_t *end;
    for (int base = 0; base <= 36; base += base == 0 ? 2 : 7) {
      errno = 0;
      long value = wcstol(texts[t], &end, base);
      printf("wcstol %zu %d: %ld %d %d\n", t, base, value, (int)(end - texts[t]), errno);
      errno = 0;
      unsigned long long large = wcstoull(texts[t], &end, base);
      printf("wcstoull %zu %d: %llu %d %d\n", t, base, large, (int)(end - texts[t]), errno);
    }
    errno = 0;
    float single = wcstof(texts[t], &end);
    printf("wcstof %zu: %a %d %d %d\n", t, single, (int)(end - texts[t]), errno, !!signbit(single));
    errno = 0;
    double value = wcstod(texts[t], &end);
    printf("wcstod %zu: %a %d %d %d\n", t, value, (int)(end - texts[t]), errno, !!signbit(value));
    errno = 0;
    long double extended = wcstold(texts[t], &end);
    printf("wcstold %zu: %La %d %d\n", t, extended, (int)(end - texts[t]), errno);
  }
}

#define PRINT(...)                                                                                       \
  do {                                                                                                   \
    wchar_t to[40];                                                                                      \
    wmemset(to, L'~', 40);                                                                               \
    errno = 0;                                                                                           \
    int length = swprintf(to, 40, __VA_ARGS__);                                                          \
    printf("print %d: %d %d", __LINE__, length, errno);                                                  \
    for (int i = 0; length >= 0 && i <= length && i < 40; i++) printf(" %x", (unsigned)to[i]);           \
    printf("\n");                                                                                        \
  } while (0)

static void print(void) {
  PRINT(L"plain");
  PRINT(L"%d|%5d|%-5d|%05d|%+d|% d", 1, 2, 3, 4, 5, 6);
  PRINT(L"%x %#x %X %o %#o %u", 255, 255, 255, 8, 8, 9);
  PRINT(L"%s|%10s|%-10s|%.2s", "abc", "def", "ghi", "jkl");
  PRINT(L"%ls|%10ls|%-10ls|%.2ls", L"abc", L"def", L"ghi", L"jkl");
  PRINT(L"%S %C", L"wide", L'w');
  PRINT(L"%c|%5c|%-5c|", 'a', 'b', 'c');
  PRINT(L"%lc|%5lc|%-5lc|", L'a', L'b', L'c');
  PRINT(L"%lc", (wint_t)0xe9);
  PRINT(L"%ls", L"\u00e9\u20ac");
  PRINT(L"%s", "\xc3\xa9");
  PRINT(L"\u00e9 %d", 5);
  PRINT(L"%.3f %e %g %a", 1.5, 2.5, 3.5, 4.5);
  PRINT(L"%Lf", 1.25L);
  PRINT(L"%8.3f|%-8.1f|%08.2f", 1.5, 2.5, 3.5);
  PRINT(L"%%|%5%|");
  PRINT(L"%hhd %hd %ld %lld %jd %zd %td", 300, 70000, 1L, 2LL, (intmax_t)3, (size_t)4, (ptrdiff_t)5);
  PRINT(L"%*d|%-*d|%.*d", 5, 1, 5, 2, 5, 3);
  PRINT(L"%s|%ls", (char *)0, (wchar_t *)0);
  PRINT(L"%.10ls|%.0ls|", L"abc", L"abc");
  PRINT(L"%p", (void *)0x1234);
  PRINT(L"%p", (void *)0);
  PRINT(L"%050d", 1);
  PRINT(L"%m");
  PRINT(L"%'d", 1234567);
  int count = 0;
  PRINT(L"abc%nd", &count);
  printf("%d\n", count);
  wchar_t small[4];
  printf("%d\n", swprintf(small, 4, L"%d", 123));
  printf("%d\n", swprintf(small, 4, L"%d", 1234));
  printf("%d\n", swprintf(small, 0, L"%d", 1));
}

static void strings(void) {
  wchar_t to[32];
  char bytes[32];
  mbstate_t state;
  const wchar_t *source = L"ab\u00e9";
  const char *narrow = "xy\xe9z";
  memset(&state, 0, sizeof state);
  errno = 0;
  printf("%zd %d\n", wcsrtombs(bytes, &source, sizeof bytes, &state), errno);
  errno = 0;
  printf("%zd %d\n", mbsrtowcs(to, &narrow, 32, &state), errno);
  errno = 0;
  printf("%zd %d\n", wcstombs(bytes, L"abc", 2), errno);
  printf("%zd\n", mbstowcs(to, "hello", 3));
  printf("%zd\n", mbstowcs(0, "hello", 0));
  printf("%d %d %d\n", wcscmp(L"a", L"b"), wcsncmp(L"abc", L"abd", 2), wmemcmp(L"ab", L"ac", 2));
  printf("%d %d\n", wcscasecmp(L"ABC", L"abc"), wcsncasecmp(L"ABCx", L"abcy", 3));
  printf("%ld %ld\n", (long)(wcschr(L"hello", L'l') - L"hello") >= 0, wcsstr(L"hello", L"lo") != 0);
  wchar_t tokens[] = L"a,b;;c", *rest;
  for (wchar_t *t = wcstok(tokens, L",;", &rest); t; t = wcstok(0, L",;", &rest)) printf("%d %x\n", (int)wcslen(t), t[0]);
  printf("%zu %zu\n", wcsspn(L"aabb", L"a"), wcscspn(L"aabb", L"b"));
  printf("%d %d %d\n", wcswidth(L"abc", 3), wcswidth(L"a\u00e9", 2), wcwidth(L'\t'));
  printf("%d\n", wcscoll(L"a", L"b") < 0);
  printf("%zu\n", wcsxfrm(to, L"abc", 32));
  printf("%d %d\n", !!iswctype(L'a', wctype("alpha")), !!iswctype(0xe9, wctype("alpha")));
  printf("%x\n", towctrans(L'a', wctrans("toupper")));
  printf("%d %d\n", wctob(L'a'), wctob(0xe9));
}

/* Wide streams; the input has a line that ends at a byte that is no character. */
static void streams(void) {
  int number = 0, at = 0;
  wchar_t word[32], line[32];
  int done = wscanf(L"%d %31ls%n", &number, word, &at);
  printf("%d %d %d %x %d\n", done, number, (int)wcslen(word), word[0], at);
  printf("%x %x\n", getwchar(), ungetwc(L'Z', stdin));
  printf("%x\n", getwc(stdin));
  printf("%d", fgetws(line, 32, stdin) != 0);
  printf(" %d %x\n", (int)wcslen(line), line[0]);
  printf("%d\n", fwscanf(stdin, L"%i%*c", &number));
  printf("%d\n", number);
  printf("%d %d %d\n", fgetws(line, 4, stdin) != 0, (int)wcslen(line), fwide(stdin, 0) > 0);
  for (int i = 0; i < 3; i++) {
    int count = 0;
    errno = 0;
    while (getwc(stdin) != WEOF) count++;
    printf("%d %d %d %d\n", count, errno, !!ferror(stdin), !!feof(stdin));
    clearerr(stdin);
  }
  printf("%d\n", wscanf(L"%ls", word));
  printf("%d\n", scanf("%31s", (char *)word));
  printf("%d %d\n", wprintf(L"none"), fwide(stdout, 0) < 0);
  printf("%d\n", fwprintf(stderr, L"%d %ls %s %lc %5.2f\n", -5, L"wide", "bytes", L'c', 2.5));
  printf("%d %x\n", fputws(L"text\n", stderr), fputwc(L'x', stderr));
  printf("%d\n", fprintf(stderr, "none"));
}

int main(void) {
  scan_integers();
  scan_texts();
  scan_reals();
  convert();
  print();
  strings();
  streams();
  return 0;
}
