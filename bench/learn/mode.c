// Everything of interest is behind one byte: what follows '-' is a command with options, anything else is only counted.
// Most paths count, so most of what is pending is in vain.
//
// secateur run bench/learn/mode.c --sym-stdin 16 --learn --learn-by paths --max-paths 60 --learn-rounds 3

#include <stdio.h>

static int digits, capitals, others;

static void count(const char *text, int length) {
  for (int i = 0; i < length; i++) {
    if (text[i] >= '0' && text[i] <= '9')
      digits++;
    else if (text[i] >= 'A' && text[i] <= 'Z')
      capitals++;
    else
      others++;
  }
}

static int copy(const char *options) {
  if (options[0] == 'r') return options[1] == 'f' ? 11 : 12;
  if (options[0] == 'p') return options[1] == 't' ? 13 : 14;
  if (options[0] == 'u') return options[1] == 'v' ? 15 : 16;
  return 17;
}

static int move(const char *options) {
  if (options[0] == 'n') return options[1] == 'x' ? 21 : 22;
  if (options[0] == 'b') return options[1] == '~' ? 23 : 24;
  if (options[0] == 's') return options[1] == '/' ? 25 : 26;
  return 27;
}

static int list(const char *options) {
  if (options[0] == 'l') return options[1] == 'h' ? 31 : 32;
  if (options[0] == 'a') return options[1] == '1' ? 33 : 34;
  if (options[0] == 'R') return options[1] == 't' ? 35 : 36;
  return 37;
}

static int erase(const char *options) {
  if (options[0] == 'i') return options[1] == '!' ? 41 : 42;
  if (options[0] == 'd') return options[1] == '.' ? 43 : 44;
  if (options[0] == 'z') return options[1] == '0' ? 45 : 46;
  return 47;
}

int main(void) {
  char text[16];
  if (fread(text, 1, sizeof text, stdin) != sizeof text) return 1;
  // Counting comes first, so that every command is behind as many decisions as anything else.
  count(text + 4, sizeof text - 4);
  if (text[0] != '-') return 2;
  switch (text[1]) {
    case 'c': return copy(text + 2);
    case 'm': return move(text + 2);
    case 'l': return list(text + 2);
    case 'e': return erase(text + 2);
  }
  return 3;
}
