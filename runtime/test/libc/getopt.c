/* getopt and its relatives on many vectors: results, messages and the resulting order of arguments. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __posix_getopt(int, char *const *, const char *);

enum kind { SHORT, POSIX, LONG, LONG_ONLY };

static int flag;
static const struct option longs[] = {
    {"alpha", no_argument, NULL, 'a'},        {"beta", required_argument, NULL, 'b'}, {"better", optional_argument, NULL, 'B'},
    {"colour", no_argument, NULL, 'c'},       {"color", no_argument, NULL, 'c'},      {"flag", no_argument, &flag, 77},
    {"flagged", required_argument, &flag, 8}, {"b", no_argument, NULL, 1000},         {"x-ray", required_argument, NULL, 'x'},
    {0},
};

static const char *const words[] = {
    "-a", "-b", "-bq", "-ab", "-abc", "-c", "-cd", "-W", "-Wbeta=1", "-x", "-", "--", "one", "two", "-:", "-;", "-\304", "",
    "--alpha", "--alpha=1", "--al", "--beta", "--beta=", "--bet", "--be", "--bett=3", "--col", "--colo=1", "--flag", "--fl", "--flagg",
    "--no", "--no=1", "--b", "--=", "-alpha", "-beta", "-be", "-flagged=2", "-xyz", "-x-ray", "-no",
};
enum { WORDS = sizeof words / sizeof *words };

static int call(enum kind kind, int count, char **vector, const char *options, int *index) {
  switch (kind) {
    case SHORT: return getopt(count, vector, options);
    case POSIX: return __posix_getopt(count, vector, options);
    case LONG: return getopt_long(count, vector, options, longs, index);
    default: return getopt_long_only(count, vector, options, longs, index);
  }
}

static void check(enum kind kind, const char *options, int count, const char *const *given) {
  char text[8][16], *vector[9];
  for (int i = 0; i < count; i++) vector[i] = strcpy(text[i], given[i]);
  vector[count] = NULL;
  optind = 0;
  printf("%d %s:", kind, options);
  for (int i = 0; i < count; i++) printf(" %s", given[i]);
  printf(" ->");
  for (int result = 0, calls = 0; result != -1 && calls < 20; calls++) {
    int index = -1;
    flag = 0;
    result = call(kind, count, vector, options, &index);
    printf(" %d(%s) %d %d %d %d;", result, optarg ? optarg : "null", optind, optopt, index, flag);
  }
  for (int i = 0; i < count; i++) printf(" %s", vector[i]);
  printf("\n");
}

int main(void) {
  static const char *const options[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "-:ab:c::", "W;ab:x", ""};
  setvbuf(stderr, NULL, _IOFBF, 1 << 16);
  printf("%d %d %d %d\n", optind, opterr, optopt, getopt(0, NULL, "a"));
  for (int k = SHORT; k <= LONG_ONLY; k++)
    for (int o = 0; o < 7; o++) {
      for (int i = 0; i < WORDS; i++) {
        check(k, options[o], 2, (const char *const[]){"program", words[i]});
        for (int j = i % 3; j < WORDS; j += 3)
          check(k, options[o], 5, (const char *const[]){"program", "one", words[i], words[j], words[(i * 7 + j * 5) % WORDS]});
      }
    }
  setenv("POSIXLY_CORRECT", "1", 1);
  check(SHORT, "ab:", 4, (const char *const[]){"program", "-a", "one", "-a"});
  check(LONG, "ab:", 4, (const char *const[]){"program", "--al", "one", "-a"});
  unsetenv("POSIXLY_CORRECT");
  opterr = 0;
  check(LONG, "ab:", 4, (const char *const[]){"program", "--be", "one", "-z"});
  check(SHORT, "ab:", 3, (const char *const[]){"program", "one", "-b"});
  return 0;
}
