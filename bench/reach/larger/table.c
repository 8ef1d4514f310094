/* A hash table with open addressing and a list of evicted entries on the heap.
 *
 * TARGET collision reached
 * TARGET found_after_collision reached
 * TARGET evicted_twice reached
 * TARGET hash_hit reached
 * TARGET slot_out_of_range unreachable
 * TARGET empty_key_found unreachable
 */
#include "goals.h"
#include <stdlib.h>

enum { SLOTS = 8, OPERATIONS = 6 };

struct entry {
  unsigned key;
  int value;
  int used;
};

struct evicted {
  unsigned key;
  struct evicted *next;
};

struct table {
  struct entry entries[SLOTS];
  unsigned count;
  struct evicted *list;
};

GOAL(collision)
GOAL(found_after_collision)
GOAL(evicted_twice)
GOAL(hash_hit)
GOAL(slot_out_of_range)
GOAL(empty_key_found)

static struct table table;

static unsigned hash(unsigned key) {
  key ^= key >> 16;
  key *= 0x7feb352du;
  key ^= key >> 15;
  key *= 0x846ca68bu;
  key ^= key >> 16;
  return key;
}

static unsigned first_slot(unsigned key) {
  return (key * 2654435761u >> 8) % SLOTS;
}

static struct entry *find(unsigned key, int *probes) {
  unsigned slot = first_slot(key);
  if (slot >= SLOTS)
    slot_out_of_range();
  for (*probes = 0; *probes < SLOTS; (*probes)++) {
    struct entry *entry = &table.entries[(slot + (unsigned)*probes) % SLOTS];
    if (!entry->used || entry->key == key)
      return entry;
  }
  return NULL;
}

static void evict(struct entry *entry) {
  struct evicted *evicted = malloc(sizeof *evicted);
  if (!evicted)
    return;
  evicted->key = entry->key;
  evicted->next = table.list;
  table.list = evicted;
  entry->used = 0;
  table.count--;
}

static int insert(unsigned key, int value) {
  if (key == 0)
    return 0;
  int probes;
  struct entry *entry = find(key, &probes);
  if (!entry)
    return 0;
  if (probes == 2)
    collision();
  if (!entry->used)
    table.count++;
  entry->key = key;
  entry->value = value;
  entry->used = 1;
  return 1;
}

static int lookup(unsigned key) {
  int probes;
  struct entry *entry = find(key, &probes);
  if (!entry || !entry->used)
    return -1;
  if (key == 0)
    empty_key_found();
  if (probes > 0 && entry->value == 42)
    found_after_collision();
  return entry->value;
}

static void remove_key(unsigned key) {
  int probes;
  struct entry *entry = find(key, &probes);
  if (!entry || !entry->used)
    return;
  for (struct evicted *other = table.list; other; other = other->next)
    if (other->key == key)
      evicted_twice();
  evict(entry);
}

int main(void) {
  unsigned check = __VERIFIER_nondet_uint();
  if (hash(check) == 0xdecade)
    hash_hit();
  for (int i = 0; i < OPERATIONS; i++) {
    unsigned char operation = __VERIFIER_nondet_uchar();
    unsigned key = __VERIFIER_nondet_uchar();
    switch (operation) {
    case 'i':
      if (!insert(key, __VERIFIER_nondet_uchar()))
        return 1;
      break;
    case 'l':
      lookup(key);
      break;
    case 'r':
      remove_key(key);
      break;
    default:
      return 0;
    }
  }
  return 0;
}
