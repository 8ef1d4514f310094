/* Runs a harness on the files that standard input lists, one per line, so that all tools are measured by one program.
 *
 * A child process runs one file after the other and writes its profile when it ends. If a file ends it (a crash, or ten
 * seconds without a result), it still writes its profile, and another child goes on after that file. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __llvm_profile_write_file(void);

static void on_signal(int number) {
  __llvm_profile_write_file();
  _exit(128 + number);
}

/* Copies the file to an allocation of its exact size. */
static void run_file(const char *name) {
  FILE *file = fopen(name, "rb");
  if (file == NULL)
    return;
  size_t capacity = 1 << 20;
  uint8_t *buffer = malloc(capacity);
  size_t size = buffer == NULL ? 0 : fread(buffer, 1, capacity, file);
  fclose(file);
  uint8_t *data = malloc(size == 0 ? 1 : size);
  if (data != NULL && buffer != NULL) {
    memcpy(data, buffer, size);
    alarm(10);
    LLVMFuzzerTestOneInput(data, size);
    alarm(0);
  }
  free(data);
  free(buffer);
}

int main(void) {
  char **names = NULL, *line = NULL;
  size_t count = 0, length = 0;
  for (ssize_t read; (read = getline(&line, &length, stdin)) > 0; count++) {
    names = realloc(names, (count + 1) * sizeof *names);
    line[strcspn(line, "\n")] = '\0';
    if (names == NULL || (names[count] = strdup(line)) == NULL)
      return 1;
  }
  size_t *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (next == MAP_FAILED)
    return 1;
  unsigned failed = 0;
  while (*next < count) {
    pid_t child = fork();
    if (child < 0)
      return 1;
    if (child == 0) {
      static const int ends[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM};
      for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        signal(ends[i], on_signal);
      while (*next < count)
        run_file(names[(*next)++]);
      __llvm_profile_write_file();
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  printf("%zu files, %u of them failed\n", count, failed);
  /* The profile of this process has nothing to add. */
  fflush(stdout);
  _exit(0);
}
