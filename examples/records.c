/* Reads records from standard input: a type, a length, and that many bytes of text. One check is missing.
 *
 *     secateur run examples/records.c --sym-stdin 8
 */
#include <stdio.h>
#include <string.h>

enum { TITLE = 'T', AUTHOR = 'A', END = 'E' };

struct book {
  char title[4];
  char author[6];
};

/* Copies the next `length` bytes of input as text; false at the end of the input. */
static int read_text(char *to, int length) {
  for (int i = 0; i < length; i++) {
    int c = getchar();
    if (c == EOF) return 0;
    to[i] = (char)c;
  }
  to[length] = '\0';
  return 1;
}

int main(void) {
  struct book book;
  memset(&book, 0, sizeof book);
  for (;;) {
    int type = getchar();
    if (type == EOF) return 1;
    if (type == END) break;
    int length = getchar() - '0';
    if (length < 0 || length > 9) return 1;
    switch (type) {
      case TITLE:
        if (length >= (int)sizeof book.title) return 1;
        if (!read_text(book.title, length)) return 1;
        break;
      case AUTHOR:
        if (!read_text(book.author, length)) return 1;
        break;
      default: return 1;
    }
  }
  printf("\"%s\" by %s\n", book.title, book.author);
  return 0;
}
