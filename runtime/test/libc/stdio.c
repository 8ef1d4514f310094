/* Streams: output in every way, and standard input in every way. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static int through(char *to, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to, size, format, arguments);
  va_end(arguments);
  return length;
}

static void goodbye(void) { printf("goodbye\n"); }
static void first_of_all(void) { fputs("registered first, runs last\n", stdout); }

int main(int argc, char **argv) {
  char text[32], word[16], *line = NULL, *made;
  size_t capacity = 0;
  int number, count;
  double real;
  atexit(first_of_all);
  atexit(goodbye);
  printf("%d arguments, %s\n", argc, argv[1]);
  printf("%5d|%-5d|%05d|%x|%#o|%c|%s|%.2s|%p|%%|%zu|%hhd|%lld|%g|%.3f|%e\n", 42, 42, 42, 255, 8, 'c', "string", "cut", NULL,
         sizeof text, 300, 1LL << 40, 0.1, 2.0 / 3, 12345.678);
  putchar('p');
  putc('q', stdout);
  fputc('r', stdout);
  fputs("s\n", stdout);
  puts("t");
  fwrite("uvwxyz\n", 1, 7, stdout);
  fprintf(stderr, "to stderr %d\n", 1);
  printf("%d %s\n", through(text, 8, "%s-%d", "abcdef", 1234), text);
  sprintf(text, "%04d", 7);
  printf("%s %d %s\n", text, asprintf(&made, "<%s>", text), made);
  free(made);

  printf("%s", fgets(text, sizeof text, stdin));
  printf("%d %d\n", getchar(), ungetc('!', stdin));
  count = scanf("%15s %d %lf", word, &number, &real);
  printf("%d %s %d %g\n", count, word, number, real);
  count = scanf("%*[ \n]%[a-z]%n", word, &number);
  printf("%d %s %d\n", count, word, number);
  printf("%d\n", getc(stdin));
  printf("%zd", getline(&line, &capacity, stdin));
  printf(" %s", line);
  printf("%zd", getdelim(&line, &capacity, ';', stdin));
  printf(" %s\n", line);
  free(line);
  count = (int)fread(text, 1, 5, stdin);
  printf("%d %.*s\n", count, count, text);
  while ((number = fgetc(stdin)) != EOF) putchar(number == '\n' ? '.' : number);
  printf("\n%d %d %d\n", feof(stdin) != 0, ferror(stdin), getchar());
  count = sscanf("12:34:xyz 0x1F 5.5", "%d:%d:%3c %i %f", &number, &number, word, &number, (float *)text);
  printf("%d %d %.3s\n", count, number, word);
  FILE *memory = fmemopen(text, sizeof text, "w");
  fprintf(memory, "in memory %d", 5);
  fclose(memory);
  puts(text);
  memory = open_memstream(&line, &capacity);
  for (int i = 0; i < 100; i++) fprintf(memory, "%d,", i);
  fclose(memory);
  printf("%zu %s\n", capacity, line);
  free(line);
  fflush(stdout);
  if (write(1, "raw\n", 4) != 4) return 1;
  dprintf(1, "descriptor %d\n", 1);
  errno = ENOENT;
  perror("perror");
  exit(3);
}
