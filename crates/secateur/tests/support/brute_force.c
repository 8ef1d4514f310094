/* Tries all runs of random programs: every sequence of answers that `in` can give, one after another. A program is a
 * function; `programs.h` defines them and the table PROGRAMS. For each, two rounds: the first finds the greatest value that
 * each assertion sees, from which follows its limit; the second finds the lines that fail. Prints a line for each program:
 * the number of runs (0 if there are too many), the limits, and the lines. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 200, MOST_RUNS = 6000, MOST_STATES = 3000, STATE_SIZE = 256, MOST_ASSERTIONS = 64, MOST_LINES = 400 };

static jmp_buf end_of_run;
static int too_many;

/* --- inputs: like an odometer, the last input that has another value gets it, and what follows begins anew --- */

static int choice[MOST_INPUTS], most_of[MOST_INPUTS];
static int known, position, replayed;

static int in(int most) {
  if (position == MOST_INPUTS) {
    too_many = 1;
    longjmp(end_of_run, 1);
  }
  if (position == known)
    choice[known++] = 0;
  most_of[position] = most;
  return choice[position++];
}

static int next_run(void) {
  known = position;
  while (known > 0 && choice[known - 1] == most_of[known - 1])
    known--;
  if (known == 0)
    return 0;
  choice[known - 1]++;
  replayed = known;
  return 1;
}

static void assume(int condition) {
  if (!condition)
    longjmp(end_of_run, 1);
}

/* --- states of an endless loop: a state that was met before leads nowhere new --- */

static unsigned char states[MOST_STATES][STATE_SIZE];
static int state_count;
static unsigned char state[STATE_SIZE];
static int state_size;

static void part(const void *bytes, int size) {
  if (state_size + size > STATE_SIZE)
    abort();
  memcpy(state + state_size, bytes, size);
  state_size += size;
}

static void head(void) {
  /* What is run again to come to the next choice was met in an earlier run. */
  if (position < replayed)
    return;
  for (int i = 0; i < state_count; i++) {
    if (memcmp(states[i], state, STATE_SIZE) == 0)
      longjmp(end_of_run, 1);
  }
  if (state_count == MOST_STATES) {
    too_many = 1;
    longjmp(end_of_run, 1);
  }
  memcpy(states[state_count++], state, STATE_SIZE);
}

#define PART(variable) part(&(variable), sizeof(variable)),
#define HEAD(parts) (memset(state, 0, STATE_SIZE), state_size = 0, parts head())

/* --- checks --- */

static int is_second_round;
static int was_seen[MOST_ASSERTIONS], greatest[MOST_ASSERTIONS], limit[MOST_ASSERTIONS];
static char fails[MOST_LINES];

static void fail(int line) {
  fails[line] = 1;
  longjmp(end_of_run, 1);
}

static void check(int assertion, int value, int line) {
  if (is_second_round) {
    if (value > limit[assertion])
      fail(line);
  } else if (!was_seen[assertion] || value > greatest[assertion]) {
    was_seen[assertion] = 1;
    greatest[assertion] = value;
  }
}

static int *at(int *array, int length, int index, int line) {
  if (index < 0 || index >= length)
    fail(line);
  return array + index;
}

static int *deref(int *pointer, int line) {
  if (!pointer)
    fail(line);
  return pointer;
}

static int divide(int a, int b, int line) {
  if (b == 0)
    fail(line);
  return a / b;
}

#define ASSERT(value, assertion) check(assertion, value, __LINE__)
#define ASSUME(condition) assume(condition)
#define AT(array, length, index) (*at(array, length, index, __LINE__))
#define DEREF(pointer) (*deref(pointer, __LINE__))
#define DIVIDE(a, b) divide(a, b, __LINE__)

/* The variables of the programs, which each run must find as they were at the start. */
#define GLOBAL static __attribute__((section("globals")))
GLOBAL int unused_global;
extern char __start_globals[], __stop_globals[];

struct program {
  int (*run)(void);
  int assertions;
  const int *slack;
};

#include "programs.h"

/* Runs a program with all inputs. Returns how often, or 0 if that is too often. */
static int try_all(const struct program *program, const char *globals) {
  volatile int runs = 0;
  too_many = known = replayed = state_count = 0;
  memset(fails, 0, sizeof fails);
  do {
    position = 0;
    memcpy(__start_globals, globals, __stop_globals - __start_globals);
    if (!setjmp(end_of_run))
      program->run();
    if (++runs > MOST_RUNS || too_many)
      return 0;
  } while (next_run());
  return runs;
}

int main(void) {
  char *globals = malloc(__stop_globals - __start_globals);
  memcpy(globals, __start_globals, __stop_globals - __start_globals);
  for (unsigned i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++) {
    const struct program *program = &PROGRAMS[i];
    is_second_round = 0;
    memset(was_seen, 0, sizeof was_seen);
    int runs = try_all(program, globals);
    for (int k = 0; k < program->assertions; k++)
      limit[k] = was_seen[k] ? greatest[k] - program->slack[k] : 0;
    is_second_round = 1;
    if (runs)
      runs = try_all(program, globals);
    printf("%d;", runs);
    for (int k = 0; k < program->assertions; k++)
      printf(" %d", limit[k]);
    printf(";");
    for (int line = 0; line < MOST_LINES; line++) {
      if (fails[line])
        printf(" %d", line);
    }
    printf("\n");
  }
  return 0;
}
