// A hash table with chains, structs in structs, arrays in structs, unions, and a matrix.
//! unit: table_get 6/6 --array-len 1 --str-len 2 --non-null
//! unit: inside 8/8 --non-null --array-len 1
//! unit: as_integer 4/4
//! unit: trace 2/2 --array-len 2 --non-null
//! unit: apply_discount 6/6 --array-len 2
//! unit: pick 4/4 --array-len 2 --str-len 2
#include <stddef.h>
#include <string.h>

#define BUCKETS 2

struct entry {
  const char *key;
  int value;
  struct entry *next;
};

struct table {
  struct entry *buckets[BUCKETS];
  size_t count;
};

int table_get(const struct table *table, const char *key, int missing) {
  struct entry *entry = table->buckets[(unsigned char)key[0] % BUCKETS];
  for (; entry; entry = entry->next)
    if (entry->key && strcmp(entry->key, key) == 0)
      return entry->value;
  return missing;
}

struct point {
  int x, y;
};
struct box {
  struct point low, high;
  char name[4];
};

int inside(struct box *box, struct point p) {
  if (p.x < box->low.x || p.x > box->high.x)
    return 0;
  if (p.y < box->low.y || p.y > box->high.y)
    return 0;
  strcpy(box->name, "hit");
  return 1;
}

union number {
  int integer;
  float real;
};
struct tagged {
  enum { INTEGER, REAL, NONE } tag;
  union number number;
};

int as_integer(struct tagged value) {
  if (value.tag == INTEGER)
    return value.number.integer;
  if (value.tag == REAL)
    return value.number.real > 2.0f ? 2 : 1;
  return 0;
}

int trace(int matrix[2][2]) {
  int sum = matrix[0][0] / 2 + matrix[1][1] / 2;
  if (sum == 77)
    matrix[0][1] = -1;
  return sum;
}

struct item {
  const char *name;
  unsigned price;
};

/* Gives how much was taken off the first two. */
unsigned apply_discount(struct item items[], unsigned char percent) {
  if (!items || percent > 100)
    return 0;
  unsigned saved = 0;
  for (int i = 0; i < 2; i++) {
    unsigned off = items[i].price / 100 * percent;
    items[i].price -= off;
    saved += off;
  }
  return saved;
}

/* The first word, or a word of its own. */
const char *pick(const char *const *words) {
  if (words && words[0])
    return words[0];
  return "nothing";
}
