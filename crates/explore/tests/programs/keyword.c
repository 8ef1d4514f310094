// A keyword of twelve letters before a text whose letters are counted: nothing new is covered before the last letter.
#include <klee/klee.h>
#include <stdlib.h>

static int is_keyword(const char *word) {
  const char *keyword = "photographer";
  for (int i = 0; i < 12; i++)
    if (word[i] != keyword[i])
      return 0;
  return 1;
}

int main(void) {
  char text[32];
  unsigned vowels = 0, digits = 0;
  klee_make_symbolic(text, sizeof text, "text");
  int found = is_keyword(text);
  for (int i = 12; i < 32; i++) {
    if (text[i] == 'a' || text[i] == 'e' || text[i] == 'i' || text[i] == 'o' || text[i] == 'u')
      vowels++;
    if (text[i] >= '0' && text[i] <= '9')
      digits++;
  }
  if (found)
    abort();
  return vowels > digits;
}
