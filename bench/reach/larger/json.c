/* A reader of JSON for text of up to 10 characters: values, strings with escapes, numbers, and nesting on a stack of its own.
 *
 * TARGET nested_array reached
 * TARGET object_in_array reached
 * TARGET unicode_escape reached
 * TARGET large_exponent reached
 * TARGET keyword_null reached
 * TARGET answer_found reached
 * TARGET too_deep reached
 * TARGET stack_underflow unreachable
 * TARGET stack_overflow unreachable
 * TARGET negative_length unreachable
 * TARGET exponent_without_digits unreachable
 * TARGET keyword_partly_read unreachable
 */
#include "goals.h"

enum { MAX_TEXT = 10, MAX_DEPTH = 4, MAX_NAME = 8 };
enum kind { NONE, ARRAY, OBJECT, STRING, NUMBER, KEYWORD };
enum error { FINE, UNEXPECTED, BAD_ESCAPE, BAD_NUMBER, BAD_KEYWORD, DEEP, TRAILING, LONG_NAME };

struct reader {
  const unsigned char *text;
  unsigned size;
  unsigned at;
  enum error error;
  enum kind stack[MAX_DEPTH];
  unsigned depth;
  unsigned values;
  unsigned char name[MAX_NAME];
  unsigned name_length;
};

GOAL(nested_array)
GOAL(object_in_array)
GOAL(unicode_escape)
GOAL(large_exponent)
GOAL(keyword_null)
GOAL(answer_found)
GOAL(too_deep)
GOAL(stack_underflow)
GOAL(stack_overflow)
GOAL(negative_length)
GOAL(exponent_without_digits)
GOAL(keyword_partly_read)

static void fail(struct reader *reader, enum error error) {
  if (reader->error == FINE)
    reader->error = error;
}

static unsigned char peek(const struct reader *reader) {
  return reader->at < reader->size ? reader->text[reader->at] : 0;
}

static unsigned char next(struct reader *reader) {
  unsigned char c = peek(reader);
  if (reader->at < reader->size)
    reader->at++;
  return c;
}

static int is_digit(unsigned char c) {
  return c >= '0' && c <= '9';
}

static int hex_value(unsigned char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

static void skip_space(struct reader *reader) {
  while (peek(reader) == ' ' || peek(reader) == '\n' || peek(reader) == '\t')
    reader->at++;
}

static void push(struct reader *reader, enum kind kind) {
  if (reader->depth == MAX_DEPTH) {
    too_deep();
    fail(reader, DEEP);
    return;
  }
  if (reader->depth > MAX_DEPTH)
    stack_overflow();
  if (kind == ARRAY && reader->depth == 2 && reader->stack[0] == ARRAY && reader->stack[1] == ARRAY)
    nested_array();
  if (kind == OBJECT && reader->depth == 1 && reader->stack[0] == ARRAY)
    object_in_array();
  reader->stack[reader->depth++] = kind;
}

static void pop(struct reader *reader) {
  if (reader->depth == 0)
    stack_underflow();
  else
    reader->depth--;
}

static void add_to_name(struct reader *reader, unsigned char c) {
  if (reader->name_length == MAX_NAME) {
    fail(reader, LONG_NAME);
    return;
  }
  reader->name[reader->name_length++] = c;
}

static void read_escape(struct reader *reader) {
  unsigned char c = next(reader);
  if (c == 'u') {
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
      int value = hex_value(next(reader));
      if (value < 0) {
        fail(reader, BAD_ESCAPE);
        return;
      }
      code = code * 16 + (unsigned)value;
    }
    if (code == 0x20ac)
      unicode_escape();
    add_to_name(reader, (unsigned char)code);
    return;
  }
  if (c == 'n')
    add_to_name(reader, '\n');
  else if (c == '"' || c == '\\' || c == '/')
    add_to_name(reader, c);
  else
    fail(reader, BAD_ESCAPE);
}

static void read_string(struct reader *reader) {
  unsigned start = reader->at;
  reader->name_length = 0;
  while (reader->error == FINE) {
    unsigned char c = next(reader);
    if (c == '"') {
      if (reader->at < start)
        negative_length();
      return;
    }
    if (c < 0x20)
      fail(reader, UNEXPECTED);
    else if (c == '\\')
      read_escape(reader);
    else
      add_to_name(reader, c);
  }
}

static int read_digits(struct reader *reader, unsigned *value) {
  int count = 0;
  *value = 0;
  while (is_digit(peek(reader))) {
    *value = *value * 10 + (next(reader) - '0');
    count++;
  }
  return count;
}

static void read_number(struct reader *reader) {
  unsigned whole, fraction = 0, exponent = 0;
  int is_negative = peek(reader) == '-';
  if (is_negative)
    reader->at++;
  if (!read_digits(reader, &whole)) {
    fail(reader, BAD_NUMBER);
    return;
  }
  if (peek(reader) == '.') {
    reader->at++;
    if (!read_digits(reader, &fraction)) {
      fail(reader, BAD_NUMBER);
      return;
    }
  }
  if (peek(reader) == 'e' || peek(reader) == 'E') {
    reader->at++;
    if (peek(reader) == '+' || peek(reader) == '-')
      reader->at++;
    int digits = read_digits(reader, &exponent);
    if (!digits) {
      fail(reader, BAD_NUMBER);
      return;
    }
    if (exponent > 300)
      large_exponent();
    if (digits < 1)
      exponent_without_digits();
  }
  if (is_negative && whole == 42 && fraction == 0 && exponent == 0)
    answer_found();
}

static void read_keyword(struct reader *reader, const char *rest) {
  while (*rest) {
    if (next(reader) != (unsigned char)*rest) {
      fail(reader, BAD_KEYWORD);
      return;
    }
    rest++;
  }
  if (reader->text[reader->at - 1] != (unsigned char)rest[-1])
    keyword_partly_read();
}

static void read_scalar(struct reader *reader) {
  unsigned char c = peek(reader);
  if (c == '"') {
    reader->at++;
    read_string(reader);
  } else if (c == '-' || is_digit(c)) {
    read_number(reader);
  } else if (c == 't') {
    read_keyword(reader, "true");
  } else if (c == 'f') {
    read_keyword(reader, "false");
  } else if (c == 'n') {
    read_keyword(reader, "null");
    if (reader->error == FINE && reader->depth > 0 && reader->stack[0] == OBJECT)
      keyword_null();
  } else {
    fail(reader, UNEXPECTED);
  }
}

static void read_name(struct reader *reader) {
  skip_space(reader);
  if (next(reader) != '"') {
    fail(reader, UNEXPECTED);
    return;
  }
  read_string(reader);
  skip_space(reader);
  if (next(reader) != ':')
    fail(reader, UNEXPECTED);
}

static void read_document(struct reader *reader) {
  do {
    skip_space(reader);
    unsigned char c = peek(reader);
    if (c == '[' || c == '{') {
      reader->at++;
      push(reader, c == '[' ? ARRAY : OBJECT);
      if (reader->error == FINE && c == '{')
        read_name(reader);
      continue;
    }
    read_scalar(reader);
    reader->values++;
    while (reader->error == FINE && reader->depth > 0) {
      skip_space(reader);
      enum kind kind = reader->stack[reader->depth - 1];
      c = next(reader);
      if (c == ',') {
        if (kind == OBJECT)
          read_name(reader);
        break;
      }
      if (c != (kind == ARRAY ? ']' : '}')) {
        fail(reader, UNEXPECTED);
        break;
      }
      pop(reader);
    }
  } while (reader->error == FINE && reader->depth > 0);
}

int main(void) {
  unsigned char text[MAX_TEXT];
  klee_make_symbolic(text, sizeof text, "text");
  struct reader reader = {.text = text, .size = sizeof text};
  read_document(&reader);
  return (int)reader.error;
}
