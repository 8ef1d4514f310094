/* The interface between a harness that runs many inputs natively and the process that starts it. */
#ifndef SECATEUR_NATIVE_H
#define SECATEUR_NATIVE_H

#include <stddef.h>
#include <stdint.h>

enum {
  /* A socket: one byte starts a batch, one byte says that it is over, and the first that all is ready. */
  SECATEUR_CONTROL_DESCRIPTOR = 1000,
  /* The shared memory. */
  SECATEUR_MEMORY_DESCRIPTOR = 1001,
  /* The exit status of a copy whose input takes too long or too much memory. */
  SECATEUR_EXIT_HANG = 123,
};

/* How often a copy looks at the clock, in microseconds, and after how many ticks an input takes too long. */
#define SECATEUR_TICK 250000
#define SECATEUR_MAX_TICKS 2
/* How much memory it may have in use, in pages of 4096 bytes. */
#define SECATEUR_MAX_PAGES (2ul << 18)

/* How many outcomes of a branch are told apart. */
#define SECATEUR_OUTCOMES 64u
/* The most inputs of a batch, and how many bytes they have together. */
#define SECATEUR_INPUTS 1024u
#define SECATEUR_DATA (1u << 20)

/* What an input was the first to have: an outcome of a branch, or another count of one. */
enum { SECATEUR_NEW_COUNT = 1, SECATEUR_NEW_OUTCOME = 2 };

/* The start of the shared memory. Three tables follow: `uint8_t known[n]`, `uint8_t counts[n]` and
 * `uint32_t touched[n]`, where n is SECATEUR_OUTCOMES times `branches`. */
struct secateur_native {
  /* Set before the start: how many branches there are. */
  uint32_t branches;
  /* The inputs of the batch that are to be run: from `first` on, `count` excluded. */
  uint32_t first;
  uint32_t count;
  /* The one that runs, or the last. */
  uint32_t current;
  /* Whether all have run, or time was up; if not, the status with which the copy ended, as `waitpid` has it. */
  uint32_t done;
  uint32_t status;
  /* How many outcomes the current input had. */
  uint32_t touched;
  /* How long the batch may take, in microseconds; then `current` is the last input that has run. */
  uint32_t time;
  struct {
    uint32_t offset;
    uint32_t length;
    /* Identifies the set of outcomes that it had. */
    uint64_t signature;
    uint64_t news;
  } inputs[SECATEUR_INPUTS];
  uint8_t data[SECATEUR_DATA];
};

void __secateur_branch(uint32_t number, uint32_t outcome);

#endif
