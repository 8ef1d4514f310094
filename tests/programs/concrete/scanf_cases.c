// What the scanf family assigns, what it leaves in the stream, and what it returns, for text that does not quite match.
#include <stdio.h>
#include <string.h>

static const char *const inputs[] = {
    " ",     "-x",    "+",     "+5",   "0x",     "0xg",   "-0x10",   "08",    "1e+",   "1e",     "1e+5x", "1.",
    "-.",    "1.e",   "0x1p",  "0x.8", "inf",    "infi",  "INFINITYx", "-nan", "nan(1)", "na",   "(nil)", "(ni",
    "-99999999999999999999", "18446744073709551615", "4294967295", "abc", "a b", "]a", "%5", "5%", "x5", "1,2",
    "a-c",   "12 34", "0b1",   "1'000", "\3775", "\n7",   "123.456e2z",
};

static const char *const formats[] = {
    "%i",  "%d",  "%x",  "%o",   "%u",     "%p",    "%2i",  "%3x",   "%1d",   "%hhd", "%ld", "%'d",   "%f",     "%1f",  "%3f", "%4lf",
    "%lf", "%s",  "%1s", "%2c",  "%3c",    "%[a-]", "%[]a]", "%[^a]", "%2[0-9x]", "%*d%c", "%*s%s", "x%d", "%d,", "%%%d", "%d%%",
};

static void show(const unsigned char *bytes) {
  for (int i = 0; i < 12; i++)
    printf("%02x", bytes[i]);
}

int main(void) {
  for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
      unsigned char value[64];
      char counted[32];
      int count = -1;
      memset(value, 0x55, sizeof value);
      snprintf(counted, sizeof counted, "%s%%n", formats[f]);
      printf("%s|%u| %d", formats[f], i, sscanf(inputs[i], counted, value, &count));
      printf(" %d ", count);
      show(value);
      FILE *stream = fmemopen((void *)inputs[i], strlen(inputs[i]), "r");
      printf(" %d", fscanf(stream, formats[f], value));
      printf(" %d %d\n", getc(stream), getc(stream));
      fclose(stream);
    }
  }
  return 0;
}
