/* Reads lines such as "[net]" and "port=80" and keeps what it knows of them. */
#include "../harness.h"

#ifndef SIZE
#define SIZE 24
#endif

enum section { TOP, NET, LOG };

struct settings {
  int port, level, quiet, errors;
};

static int starts_with(const char *text, const char *word) {
  while (*word)
    if (*text++ != *word++) return 0;
  return 1;
}

static int number(const char **text) {
  int value = 0, digits = 0;
  while (**text >= '0' && **text <= '9' && digits < 5) {
    value = 10 * value + *(*text)++ - '0';
    digits++;
  }
  return digits ? value : -1;
}

static void entry(struct settings *settings, enum section section, const char *line) {
  int value;
  switch (section) {
    case NET:
      if (!starts_with(line, "port=")) break;
      line += 5;
      value = number(&line);
      if (value < 1 || value > 65535) settings->errors++;
      else settings->port = value;
      return;
    case LOG:
      if (starts_with(line, "quiet")) {
        settings->quiet = 1;
        return;
      }
      if (!starts_with(line, "level=")) break;
      line += 6;
      value = number(&line);
      if (value < 0 || value > 3) settings->errors++;
      else settings->level = value;
      return;
    default: break;
  }
  settings->errors++;
}

volatile int sink;

int main(void) {
  char text[SIZE + 1];
  struct settings settings = {0, 0, 0, 0};
  enum section section = TOP;
  SYM(text, "text");
  text[SIZE] = '\0';
  const char *line = text;
  while (*line && settings.errors < 3) {
    if (*line == '[') {
      if (starts_with(line, "[net]")) section = NET;
      else if (starts_with(line, "[log]")) section = LOG;
      else settings.errors++;
    } else if (*line != '#' && *line != '\n') {
      entry(&settings, section, line);
    }
    while (*line && *line != '\n') line++;
    if (*line) line++;
  }
  if (settings.port == 8080) sink = 1;
  if (settings.quiet && settings.level > 1) sink = 2;
  if (settings.errors == 0 && settings.port > 0) sink = 3;
  return 0;
}
