// Mutual recursion: a recursive-descent parser of lists in brackets, whose tokens are input.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DTOKENS=6
#include "verifier.h"

#ifndef TOKENS
#define TOKENS 14
#endif

enum { DEEPEST = 4 };
enum token { OPEN, CLOSE, ITEM, COMMA, END };

static int left = TOKENS;
static int depth, opened, closed, items;
static enum token token;
static int failed;

static void advance(void) {
  if (left == 0) {
    token = END;
    return;
  }
  left--;
  token = (enum token)below_or(END);
}

static void parse_list(void);

static void parse_element(void) {
  if (token == OPEN) {
    parse_list();
  } else if (token == ITEM) {
    items++;
    advance();
  } else {
    failed = 1;
  }
}

static void parse_list(void) {
#ifdef BUG
  if (depth > DEEPEST) {
#else
  if (depth >= DEEPEST) {
#endif
    failed = 1;
    return;
  }
  depth++;
  opened++;
  assert(depth <= DEEPEST); //~ BUG assertion
  advance();
  parse_element();
  while (!failed && token == COMMA) {
    advance();
    parse_element();
  }
  if (failed)
    return;
  if (token != CLOSE) {
    failed = 1;
    return;
  }
  closed++;
  depth--;
  advance();
}

int main(void) {
  advance();
  parse_element();
  if (!failed && token == END) {
    assert(depth == 0);
    assert(opened == closed);
  }
  assert(opened + items <= TOKENS);
  return 0;
}
