// Functions on strings, which end within their bound.
//! unit: count_words 6/6 --str-len 4
//! unit: is_palindrome 4/4 --str-len 4 --non-null
//! unit: trim 8/8 --str-len 3
//! unit: caesar 10/10 --str-len 2
//! unit: starts_with 4/4 --str-len 3 --non-null
//! unit: copy_text 6/6 --str-len 3
//! unit: first_vowel 6/6 --str-len 2
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int count_words(const char *text) {
  int words = 0, inside = 0;
  for (; text && *text; text++) {
    if (*text == ' ')
      inside = 0;
    else {
      words += !inside;
      inside = 1;
    }
  }
  return words;
}

int is_palindrome(const char *text) {
  size_t start = 0, end = strlen(text);
  while (start + 1 < end) {
    if (text[start] != text[end - 1])
      return 0;
    start++;
    end--;
  }
  return 1;
}

/* Cuts spaces off at the end; gives the new length. */
int trim(char *text) {
  if (text == NULL)
    return -1;
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == ' ')
    length--;
  if (text[length])
    text[length] = '\0';
  return (int)length;
}

void caesar(char *text, unsigned shift) {
  if (!text)
    return;
  for (; *text; text++) {
    if (*text >= 'a' && *text <= 'z')
      *text = (char)('a' + (*text - 'a' + shift % 26) % 26);
    else if (*text == '?')
      *text = '!';
  }
}

int starts_with(const char *text, const char *prefix) {
  while (*prefix) {
    if (*text++ != *prefix++)
      return 0;
  }
  return 1;
}

/* A copy on the heap, in which `x` has become `y`. */
char *copy_text(const char *text) {
  if (!text)
    return NULL;
  size_t length = strlen(text);
  char *copy = malloc(length + 1);
  for (size_t i = 0; i <= length; i++)
    copy[i] = text[i] == 'x' ? 'y' : text[i];
  return copy;
}

const char *first_vowel(const char *text) {
  for (; text && *text; text++) {
    switch (*text) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
      return text;
    }
  }
  return "none";
}
