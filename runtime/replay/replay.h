/* The interface between the native replay of a test and the process that starts it. */
#ifndef SECATEUR_REPLAY_H
#define SECATEUR_REPLAY_H

#include <stddef.h>
#include <stdint.h>

/* Exit statuses of a replay that say something about the test, not about the program. */
enum {
  /* The test has no object, or another one, where the program asks for input. */
  SECATEUR_EXIT_MISFIT = 120,
  /* An assumption of the harness is false for this input, or klee_silent_exit was called. */
  SECATEUR_EXIT_ASSUMED = 121,
  /* The file for the trace cannot be used. */
  SECATEUR_EXIT_NO_TRACE = 122,
};

/* The open descriptors that the program is started with. Both are closed before its own code starts.
 * Their numbers are far from those that a process usually has. */
enum {
  SECATEUR_TEST_DESCRIPTOR = 1000,
  SECATEUR_TRACE_DESCRIPTOR = 1001,
};

/* How many bytes in front of the program's global variables are inaccessible. */
#define SECATEUR_BEFORE 1024

/* How many branches, from the first on, are logged one by one. */
#define SECATEUR_TRACE_LOG 65536u

#define SECATEUR_TRACE_MAGIC 0x52544353u /* "SCTR", little-endian */
#define SECATEUR_TRACE_VERSION 2u

/* The start of the trace file. The caller fills in `magic`, `version` and the fields from
 * `branch_count` to `report`; the program, the rest. The tables whose length is known at run time follow it directly:
 * `uint64_t outcomes[branch_count]`, where bit min(outcome, 63) of entry `number` says that the branch
 * had this outcome, then `uint8_t blocks[block_count]`, where 1 says that the block ran. All integers
 * have the byte order of the machine. */
struct secateur_trace {
  uint32_t magic;
  uint32_t version;
  /* How many branches were executed. */
  uint64_t count;
  /* Identifies the sequence of all (number, outcome) pairs. That of the empty sequence is 0; a
   * further pair p = (number << 32 | outcome) + 1 turns h into g ^ (g >> 32), where
   * g = (h ^ p) * 0x9E3779B97F4A7C15 (modulo 2^64). */
  uint64_t hash;
  /* How many entries of the logs are in use. */
  uint64_t log_length;
  /* The lengths of the tables. */
  uint64_t branch_count;
  uint64_t block_count;
  /* Whether leaked memory is to be reported at the end. */
  uint64_t find_leaks;
  /* The file that gets the reports of a sanitizer, with the number of the process behind it. */
  char report[4096];
  /* The lowest bit of each outcome; branch i is bit i % 8 of byte i / 8. */
  uint8_t log[SECATEUR_TRACE_LOG / 8];
  /* The number of each branch. */
  uint32_t numbers[SECATEUR_TRACE_LOG];
};

/* Called by the instrumented program before each conditional branch, at the start of each block,
 * and at places that the compiler assumes unreachable. */
void __secateur_branch(uint32_t number, uint32_t outcome);
void __secateur_block(uint32_t number);
void __secateur_unreachable(void) __attribute__((noreturn));
void __secateur_assume(uint32_t holds);
void __secateur_forget_frames(void);
void __secateur_forget_local(void *address, uint64_t size, uint64_t count);
/* Called when main starts. */
void __secateur_arguments(int count, char **list);
/* Called when the user's code has allocated `count` times `size` bytes of memory: sets the values that
 * the test has for it, and zeros the rest on the stack (heap memory is zero already). Ignores null. */
void __secateur_fresh(void *address, uint64_t size, uint64_t count);
void __secateur_fresh_stack(void *address, uint64_t size, uint64_t count);
/* The data of a libFuzzer harness: `size` bytes of at most `most`. */
void *__secateur_data(size_t size, size_t most);
void *__secateur_aligned_alloc(size_t alignment, size_t size);
void __secateur_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
