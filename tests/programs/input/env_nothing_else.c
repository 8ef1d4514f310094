// The environment has the variables of the test and no others, however it is looked at.
//! args: --sym-env MODE 1
//! exits: 0 1
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
  int count = 0;
  for (char **variable = environ; *variable; variable++) {
    count++;
    if (strncmp(*variable, "MODE=", 5) != 0)
      return 2;
  }
  if (count != 1 || envp[0] != environ[0] || envp[1])
    return 3;
  const char *options[] = {"ASAN_OPTIONS", "SECATEUR_TEST", "SECATEUR_TRACE", "LSAN_OPTIONS", "PATH"};
  for (int i = 0; i < 5; i++)
    if (getenv(options[i]))
      return 4;
  if (getenv("MODE")[0] == 'x')
    return 1;
  return 0;
}
