/* Evaluates a text such as "(1+2)*3": a parser by recursive descent, with the errors that it can find. */
#include "../harness.h"

#ifndef SIZE
#define SIZE 10
#endif

enum error { FINE, UNEXPECTED, UNCLOSED, DIVIDED_BY_ZERO, TOO_LARGE, TOO_DEEP, LEFT_OVER };

static const char *next;
static enum error error;
static int depth;

static int sum(void);

static void fail(enum error what) {
  if (error == FINE) error = what;
}

static int number(void) {
  int value = 0;
  if (*next < '0' || *next > '9') {
    fail(UNEXPECTED);
    return 0;
  }
  while (*next >= '0' && *next <= '9') {
    value = 10 * value + (*next++ - '0');
    if (value > 9999) {
      fail(TOO_LARGE);
      return 0;
    }
  }
  return value;
}

static int factor(void) {
  int value;
  if (*next == '-') {
    next++;
    return -factor();
  }
  if (*next != '(') return number();
  next++;
  if (++depth > 3) {
    fail(TOO_DEEP);
    return 0;
  }
  value = sum();
  depth--;
  if (*next == ')') next++;
  else fail(UNCLOSED);
  return value;
}

static int product(void) {
  int value = factor();
  while (error == FINE && (*next == '*' || *next == '/' || *next == '%')) {
    char operation = *next++;
    int other = factor();
    if (error != FINE) break;
    if (operation == '*') {
      value *= other;
    } else if (other == 0) {
      fail(DIVIDED_BY_ZERO);
    } else if (operation == '/') {
      value /= other;
    } else {
      value %= other;
    }
  }
  return value;
}

static int sum(void) {
  int value = product();
  while (error == FINE && (*next == '+' || *next == '-')) {
    char operation = *next++;
    int other = product();
    value = operation == '+' ? value + other : value - other;
  }
  return value;
}

volatile int sink;

int main(void) {
  char text[SIZE + 1];
  SYM(text, "text");
  text[SIZE] = '\0';
  next = text;
  int value = sum();
  if (error == FINE && *next != '\0') error = LEFT_OVER;
  switch (error) {
    case FINE: sink = value == 42 ? 1 : 2; break;
    case UNEXPECTED: sink = 3; break;
    case UNCLOSED: sink = 4; break;
    case DIVIDED_BY_ZERO: sink = 5; break;
    case TOO_LARGE: sink = 6; break;
    case TOO_DEEP: sink = 7; break;
    default: sink = 8; break;
  }
  return 0;
}
