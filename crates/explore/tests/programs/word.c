// Compares a word with a secret one, letter by letter.
#include <klee/klee.h>

int main(void) {
  char word[4];
  klee_make_symbolic(word, sizeof word, "word");
  for (int i = 0; i < 4; i++)
    if (word[i] != "seca"[i])
      return 1;
  return 0;
}
