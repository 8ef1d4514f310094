// strftime: every conversion, with GNU's flags, widths and modifiers, on dates of all kinds.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

static void show(const struct tm *time) {
  static const char letters[] = "aAbBcCdDeFgGhHIjklmMnNpPrRsStTuUvVwWxXyYzZ%iQ";
  static const char *const prefixes[] = {"", "-", "_", "0", "^", "#", "5", "-5", "_5", "05", "^12", "#9", "E", "O", "+"};
  char text[400];
  for (const char *letter = letters; *letter; letter++) {
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
      char format[20];
      snprintf(format, sizeof format, "%%%s%c", prefixes[i], *letter);
      size_t length = strftime(text, sizeof text, format, time);
      printf("%s %zu %s|", format, length, text);
    }
    putchar('\n');
  }
}

int main(void) {
  time_t times[] = {0, 1700000000, -86400, 951782400, 4102444799};
  struct tm odd = {.tm_sec = 61, .tm_mday = 40, .tm_mon = 13, .tm_year = -1950, .tm_wday = 9, .tm_yday = 400, .tm_hour = 30};
  char text[12];
  wchar_t wide[40];
  for (int i = 0; i < 5; i++) show(gmtime(&times[i]));
  show(&odd);
  odd = *gmtime(&times[1]);
  for (size_t size = 0; size < sizeof text; size++) printf("%zu ", strftime(text, size, "%F", &odd));
  printf("%zu", wcsftime(wide, 40, L"%A, %-d %B", &odd));
  for (wchar_t *at = wide; *at; at++) printf(" %d", (int)*at);
  putchar('\n');
  return 0;
}
