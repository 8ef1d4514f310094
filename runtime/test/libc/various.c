/* Parts of the library with state or tables of their own. */
#define _GNU_SOURCE
#include <complex.h>
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

static jmp_buf place;
static int compare(const void *a, const void *b) { return strcmp(a, b); }

int main(int argc, char **argv) {
  time_t moment = 1000000000;
  struct tm parts;
  char text[64];
  gmtime_r(&moment, &parts);
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j", &parts);
  printf("%s %ld %s", text, (long)timegm(&parts), asctime(&parts));

  regex_t pattern;
  regmatch_t matches[3];
  printf("%d ", regcomp(&pattern, "([a-z]+)=([0-9]*)", REG_EXTENDED));
  printf("%d ", regexec(&pattern, "  key=123;", 3, matches, 0));
  for (int i = 0; i < 3; i++) printf("%d-%d ", (int)matches[i].rm_so, (int)matches[i].rm_eo);
  printf("%d\n", regexec(&pattern, "nothing", 3, matches, 0));
  regfree(&pattern);

  static const struct option options[] = {{"long", no_argument, NULL, 'l'}, {"value", required_argument, NULL, 'v'}, {0}};
  int option;
  while ((option = getopt_long(argc, argv, "ab:", options, NULL)) != -1) printf("%c=%s ", option, optarg ? optarg : "");
  printf("%d %s\n", argc - optind, argv[optind]);

  wchar_t wide[16];
  printf("%zu %zu %d %d %s\n", mbstowcs(wide, "wide", 16), wcslen(wide), iswalpha(L'x') != 0, (int)towupper(L'x'), setlocale(LC_ALL, NULL));
  swprintf(wide, 16, L"%d-%ls", 5, L"w");
  printf("%ls %ld\n", wide, wcstol(L"77z", NULL, 8));

  double fraction;
  int exponent;
  fraction = frexp(48.0, &exponent);
  printf("%g %d %g %ld %ld %g %g %g\n", fraction, exponent, ldexp(0.75, 4), lround(2.5), lrint(3.5), remainder(7, 4), fdim(3, 5), nextafter(1, 2));
  printf("%g %g %d %g\n", modf(-3.25, &fraction), fraction, ilogb(1000), logb(0.1));
  volatile double _Complex z = 1 + 2 * I, w = 3 - I;
  printf("%g%+gi %g%+gi %g\n", creal(z * w), cimag(z * w), creal(z / w), cimag(z / w), cabs(z));
  w = INFINITY;
  printf("%g%+gi %g%+gi\n", creal(z * w), cimag(z * w), creal(z / w), cimag(z / w));

  errno = 0;
  printf("%ld %d\n", strtol("99999999999999999999", NULL, 10), errno == ERANGE);
  printf("%s %s %d %s\n", getenv("SECATEUR_CHECK"), getenv("SECATEUR_NOT_SET") ? "set" : "not set", setenv("NEW", "value", 1), getenv("NEW"));
  char path[] = "/usr/lib/";
  printf("%s %s\n", basename(path), dirname(path));

  void *tree = NULL;
  tsearch("m", &tree, compare);
  tsearch("c", &tree, compare);
  tsearch("x", &tree, compare);
  printf("%d %d\n", tfind("c", &tree, compare) != NULL, tfind("d", &tree, compare) != NULL);
  while (tree) tdelete(*(char **)tree, &tree, compare);

  int jumped = setjmp(place);
  printf("%d\n", jumped);
  if (jumped < 3) longjmp(place, jumped + 1);
  return 7;
}
