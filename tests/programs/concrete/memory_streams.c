// Streams in memory: sizes after seeking, flushing and closing.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static char *text;
static size_t size;

static void show(const char *when, size_t count) {
  printf("%s %zu ", when, size);
  for (size_t i = 0; i < count; i++) putchar(text[i] ? text[i] : '0');
  putchar('\n');
}

static void write_and_seek(const char *first, long offset, int whence, const char *second) {
  FILE *f = open_memstream(&text, &size);
  fputs(first, f);
  fflush(f);
  show("flushed", 6);
  int result = fseek(f, offset, whence);
  printf("%d at %ld\n", result, ftell(f));
  fputs(second, f);
  fflush(f);
  show("flushed", 8);
  fclose(f);
  show("closed", size + 1);
  free(text);
}

int main(void) {
  write_and_seek("hello", 1, SEEK_SET, "Z");
  write_and_seek("hello", -2, SEEK_CUR, "XY");
  write_and_seek("hello", 0, SEEK_END, "!");
  write_and_seek("hello", 7, SEEK_SET, "!");
  write_and_seek("hello", 0, SEEK_SET, "");
  write_and_seek("", 3, SEEK_SET, "x");
  write_and_seek("hello", -9, SEEK_CUR, "x");
  FILE *f = open_memstream(&text, &size);
  for (int i = 0; i < 3000; i++) fprintf(f, "%d,", i);
  fclose(f);
  printf("%zu %.20s\n", size, text + size - 20);
  wchar_t *wide;
  f = open_wmemstream(&wide, &size);
  fwprintf(f, L"%d %ls", 42, L"wide");
  fclose(f);
  printf("%zu %zu %d\n", size, wcslen(wide), (int)wide[3]);
  return 0;
}
