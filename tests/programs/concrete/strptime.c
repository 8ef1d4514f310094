// strptime: every conversion, and the fields that follow from others.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static void read(const char *text, const char *format) {
  struct tm time;
  memset(&time, 0, sizeof time);
  const char *end = strptime(text, format, &time);
  printf("%s %s: %d", text, format, end ? (int)(end - text) : -1);
  if (end)
    printf(" %d-%d-%d %d:%d:%d, weekday %d, day %d, zone %ld", time.tm_year, time.tm_mon, time.tm_mday, time.tm_hour,
           time.tm_min, time.tm_sec, time.tm_wday, time.tm_yday, time.tm_gmtoff);
  putchar('\n');
}

int main(void) {
  static const char *const cases[][2] = {
      {"2024-02-29 23:59:60", "%Y-%m-%d %H:%M:%S"}, {"2024-02-29T1", "%FT%k"}, {"Tue Nov 14 22:13:20 2023", "%c"},
      {"11/14/23", "%D"}, {"11/14/68", "%x"}, {"11/14/69", "%x"}, {"12:30 PM", "%I:%M %p"}, {"12:30 am", "%I:%M %p"},
      {"01:02:03 PM", "%r"}, {"23:59", "%R"}, {"1:2:3", "%T"}, {"60 2024", "%j %Y"}, {"366 2023", "%j %Y"},
      {"367", "%j"}, {"monday", "%A"}, {"MON", "%a"}, {"septem", "%b"}, {"September", "%b"}, {"1700000000", "%s"},
      {"20 24", "%C %y"}, {"19", "%C"}, {"10 3 2024", "%U %w %Y"}, {"10 3 2024", "%W %u %Y"}, {"+0530", "%z"},
      {"-08:00", "%z"}, {"Z", "%z"}, {"+1", "%z"}, {"+1260", "%z"}, {"  7", "%d"}, {"32", "%d"}, {"0", "%d"}, {"%", "%%"},
      {"a b", "a%nb"}, {"ab", "a b"}, {"CET x", "%Z x"}, {"5", "%q"}, {"5", "%"}, {"10", "%-d"}, {"2024", "%G%g"},
      {"2024", "%G"}, {"53", "%V"}, {"7", "%w"}, {"0", "%u"}, {"12 5", "%Om %d"}, {"11/14/23", "%Ex"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strstr(cases[i][1], "%O")) continue;
    read(cases[i][0], cases[i][1]);
  }
  return 0;
}
