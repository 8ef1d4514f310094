// Conversions between character sets: what is converted, where it stops, and why.
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

static void convert(const char *to, const char *from, const char *text, size_t size, size_t room) {
  char output[64], *in = (char *)text, *out = output;
  size_t in_left = size, out_left = room;
  iconv_t descriptor = iconv_open(to, from);
  errno = 0;
  size_t result = iconv(descriptor, &in, &in_left, &out, &out_left);
  printf("%s %s: %zd %d %zu %zu:", to, from, (ssize_t)result, errno, in_left, out_left);
  for (char *at = output; at < out; at++) printf(" %02x", (unsigned char)*at);
  printf(" %d\n", iconv_close(descriptor));
}

int main(void) {
  static const char *const sets[] = {"ASCII", "ISO-8859-1", "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"};
  static const char *const texts[] = {"abc", "Fran\xc3\xa7ois", "\xf0\x9f\x98\x80!", "a\xc3", "\xc0\x80", "\xed\xa0\x80",
                                      "x\xe2\x82", "\xf4\x90\x80\x80", "\xff", "\xf7\xbf\xbf\xbf", "\xe0\x80\x80", "\xe2(\xa1"};
  static const char wide[] = "a\0\xe7\0\x3d\xd8\x00\xde\x00\xdc";
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) convert(sets[i], "UTF-8", texts[j], strlen(texts[j]), 40);
    convert(sets[i], "utf8", "ab\xc3\xa4", 4, 3);
    convert(sets[i], "latin1", "\xe9t\xe9", 3, 40);
    convert(sets[i], "us-ascii", "t\xe9", 2, 40);
    convert(sets[i], "UTF-16LE", wide, 10, 40);
    convert(sets[i], "UTF-16LE", wide, 3, 40);
    convert(sets[i], "UTF-32BE", "\0\0\0z\0\0\xd8\0", 8, 40);
  }
  convert("ANSI_X3.4-1968//TRANSLIT", "UTF-8", "Fran\xc3\xa7ois", 9, 40);
  return 0;
}
