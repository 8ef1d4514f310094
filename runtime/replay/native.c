/* Linked into a libFuzzer harness so that it can be run on many inputs in one process.
 *
 * The process that started us shares memory with us and sends a byte for each batch of inputs. A
 * copy of this process runs the batch: what one batch leaves behind does not reach the next, and a
 * crash ends the copy alone. The layout of the memory is that of native.h. */
#define _GNU_SOURCE
#include "native.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Checks of our own code would only slow it down. */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))

static struct secateur_native *shared;
static uint8_t *counts;  /* by outcome: how often the current input had it, up to 255 */
static uint8_t *known;   /* by outcome: the classes of counts that any input has had */
static uint32_t *touched; /* the outcomes that the current input had */
static uint32_t outcomes;

/* Nothing here needs the heap, so that the program cannot damage it. */
UNCHECKED void __secateur_branch(uint32_t number, uint32_t outcome) {
  uint32_t index = number * SECATEUR_OUTCOMES + (outcome < SECATEUR_OUTCOMES ? outcome : SECATEUR_OUTCOMES - 1);
  if (index >= outcomes) return;
  uint8_t count = counts[index];
  if (count == 0) touched[shared->touched++] = index;
  if (count < 255) counts[index] = count + 1;
}

/* Counts are told apart by their order of magnitude only, as loops run any number of times. */
UNCHECKED static uint8_t class_of(uint8_t count) {
  if (count <= 3) return (uint8_t)(1u << (count - 1));
  if (count <= 7) return 8;
  if (count <= 15) return 16;
  if (count <= 31) return 32;
  return count <= 127 ? 64 : 128;
}

UNCHECKED static uint64_t mix(uint64_t word) {
  word = (word ^ word >> 32) * UINT64_C(0x9E3779B97F4A7C15);
  return (word ^ word >> 29) * UINT64_C(0xD6E8FEB86659FD93);
}

/* Takes stock of an input that has run, and forgets what it had. */
UNCHECKED static void account(uint32_t input) {
  uint64_t signature = 0;
  uint8_t news = 0;
  for (uint32_t i = 0; i < shared->touched; i++) {
    uint32_t index = touched[i];
    uint8_t class = class_of(counts[index]);
    signature += mix(index + 1);
    if (known[index] == 0) news = SECATEUR_NEW_OUTCOME;
    else if ((known[index] & class) == 0 && news == 0) news = SECATEUR_NEW_COUNT;
    known[index] |= class;
    counts[index] = 0;
  }
  shared->touched = 0;
  shared->inputs[input].news = news;
  shared->inputs[input].signature = signature;
}

/* --- The copy that runs a batch -------------------------------------------------------------- */

static uint32_t seen; /* the input that was running at the last tick */
static int ticks;     /* how many ticks ago it started */

/* How much memory is in use, in pages; only system calls are allowed here. */
static unsigned long resident(void) {
  char text[128];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  unsigned long pages = 0;
  ssize_t i = 0;
  while (i < length && text[i] != ' ') i++;
  for (i++; i < length && text[i] >= '0' && text[i] <= '9'; i++) pages = pages * 10 + (unsigned long)(text[i] - '0');
  return pages;
}

static void on_tick(int signal) {
  (void)signal;
  if (shared->current != seen) {
    seen = shared->current;
    ticks = 0;
  }
  if (++ticks > SECATEUR_MAX_TICKS || resident() > SECATEUR_MAX_PAGES) _exit(SECATEUR_EXIT_HANG);
}

static uint64_t microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void run_batch(void) {
  struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval interval = {{0, SECATEUR_TICK}, {0, SECATEUR_TICK}};
  setitimer(ITIMER_REAL, &interval, NULL);
  seen = UINT32_MAX;
  uint64_t end = microseconds() + shared->time;
  for (uint32_t i = shared->first; i < shared->count; i++) {
    shared->current = i;
    uint32_t offset = shared->inputs[i].offset, length = shared->inputs[i].length;
    if (offset > SECATEUR_DATA || length > SECATEUR_DATA - offset) _exit(SECATEUR_EXIT_HANG);
    /* A block of its own, so that reading one byte too many is noticed. */
    uint8_t *data = malloc(length);
    if (data == NULL && length > 0) _exit(SECATEUR_EXIT_HANG);
    if (length > 0) memcpy(data, shared->data + offset, length);
    LLVMFuzzerTestOneInput(data, length);
    free(data);
    account(i);
    if (microseconds() >= end) break;
  }
  shared->done = 1;
  _exit(0);
}

/* --- The process that waits for batches ----------------------------------------------------- */

__attribute__((used)) const char *__asan_default_options(void) {
  return "symbolize=0:exitcode=86:handle_abort=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0"
         ":detect_leaks=0:detect_odr_violation=0:detect_stack_use_after_return=0:malloc_context_size=0"
         ":allocator_may_return_null=1:max_allocation_size_mb=1024:quarantine_size_mb=4";
}

__attribute__((used)) const char *__ubsan_default_options(void) {
  return "symbolize=0:exitcode=86:halt_on_error=1";
}

static void *map(int file, int flags, size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, file, 0);
  if (memory == MAP_FAILED) _exit(SECATEUR_EXIT_HANG);
  return memory;
}

int main(int argc, char **argv) {
  struct stat status;
  if (fstat(SECATEUR_MEMORY_DESCRIPTOR, &status) != 0) return SECATEUR_EXIT_HANG;
  shared = map(SECATEUR_MEMORY_DESCRIPTOR, MAP_SHARED, (size_t)status.st_size);
  close(SECATEUR_MEMORY_DESCRIPTOR);
  outcomes = shared->branches * SECATEUR_OUTCOMES;
  known = (uint8_t *)(shared + 1);
  counts = known + outcomes;
  touched = (uint32_t *)(counts + outcomes);
  if (LLVMFuzzerInitialize != NULL) LLVMFuzzerInitialize(&argc, &argv);
  uint32_t left = shared->touched;
  for (uint32_t i = 0; i < left; i++) counts[touched[i]] = 0;
  shared->touched = 0;

  char byte = 1;
  while (write(SECATEUR_CONTROL_DESCRIPTOR, &byte, 1) == 1 && read(SECATEUR_CONTROL_DESCRIPTOR, &byte, 1) == 1) {
    shared->done = 0;
    int result = 0;
    pid_t copy = fork();
    if (copy == 0) {
      close(SECATEUR_CONTROL_DESCRIPTOR);
      run_batch();
    }
    if (copy > 0) waitpid(copy, &result, 0);
    /* What a crash has left. */
    if (copy > 0 && shared->done == 0 && shared->current < shared->count) account(shared->current);
    shared->status = (uint32_t)result;
    if (copy < 0) shared->current = shared->count;
    byte = 1;
  }
  return 0;
}
