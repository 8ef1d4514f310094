/* strverscmp, whose order in musl 1.2.3 differs where only one of two texts has a digit. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <ctype.h>
#include <string.h>

/* The longer number is the greater one; of two of the same length, the one whose first digit is. */
static int compare_lengths(const unsigned char *a, const unsigned char *b) {
  int difference = *a - *b;
  do a++, b++;
  while (isdigit(*a) && isdigit(*b));
  if (isdigit(*a)) return 1;
  return isdigit(*b) ? -1 : difference;
}

REPLACEABLE int strverscmp(const char *left, const char *right) {
  const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
  /* The digits before the first difference. */
  const unsigned char *digits = a;
  int only_zeros = 1;
  for (; *a == *b; a++, b++) {
    if (!*a) return 0;
    if (!isdigit(*a)) {
      digits = a + 1;
      only_zeros = 1;
    } else if (*a != '0') {
      only_zeros = 0;
    }
  }
  int is_a = isdigit(*a), is_b = isdigit(*b);
  if (digits == a) return is_a && is_b && *a != '0' && *b != '0' ? compare_lengths(a, b) : *a - *b;
  if (*digits != '0') {
    if (is_a && is_b) return compare_lengths(a, b);
    if (is_a || is_b) return is_a ? 1 : -1;
  } else if (only_zeros && is_a != is_b) {
    /* A number that begins with zeros is a fraction: more digits make it less. */
    return is_a ? -1 : 1;
  }
  return *a - *b;
}

weak_alias(strverscmp, __strverscmp);
