// Functions that return memory of their own making, some of it never written.
//! unit: squares 6/6
//! unit: countdown 4/4
//! unit: ring 2/2
//! unit: open_account 4/4 --array-len 2
//! unit: split_pair 4/4
//! unit: message 6/6
//! unit: table_row 4/4
//! unit: number_or_name 2/2
//! unit: half_filled 2/2
//! unit: unwritten_sum 4/4
//! unit: sentinel 4/4
//! unit: local_address 2/2
//! unit: opened 2/2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An array, whose length only the allocation knows.
int *squares(int count) {
  if (count < 1 || count > 3)
    return NULL;
  int *numbers = malloc((size_t)count * sizeof *numbers);
  for (int i = 0; i < count; i++)
    numbers[i] = i * i;
  return numbers;
}

struct node {
  int value;
  struct node *next;
};

// A list.
struct node *countdown(int from) {
  struct node *list = NULL;
  for (int i = 0; i < from && i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = list;
    list = node;
  }
  return list;
}

struct link {
  struct link *before, *after;
  char name[16];
  double weight;
  unsigned kind : 3;
};

// Two objects that point to each other; most of the name and the bits are never written.
struct link *ring(char letter) {
  struct link *first = malloc(sizeof *first), *second = malloc(sizeof *second);
  first->before = first->after = second;
  second->before = second->after = first;
  strcpy(first->name, "one");
  strcpy(second->name, letter == 'x' ? "x" : "two");
  if (letter == 'x')
    first->weight = 2.5;
  return first;
}

struct account {
  int number;
  char currency;
  long balance;
};

// Through a pointer that it is given, and with padding in the struct.
int open_account(struct account **opened, int number) {
  if (opened == NULL)
    return -1;
  *opened = malloc(sizeof **opened);
  (*opened)->number = number;
  (*opened)->currency = 'e';
  if (number > 3)
    (*opened)->balance = 9;
  return 0;
}

// Pointers to text that it has made and to constants, with a null pointer at the end.
char **split_pair(const char *text) {
  if (text == NULL)
    return NULL;
  char **parts = calloc(3, sizeof *parts);
  const char *colon = strchr(text, ':');
  parts[0] = strdup(text);
  if (colon != NULL)
    parts[1] = "value";
  return parts;
}

struct message {
  unsigned char length;
  short words[];
};

// A struct with an array of open length.
struct message *message(unsigned length) {
  if (length == 0 || length > 2)
    return NULL;
  struct message *made = malloc(sizeof *made + length * sizeof *made->words);
  made->length = (unsigned char)length;
  for (unsigned i = 0; i < length; i++)
    made->words[i] = (short)(100 + i);
  return made;
}

static struct account accounts[3] = {{1, 'a', 2}, {3, 'b', 4}, {5, 'c', 6}};

// A part of a variable of the file.
const struct account *table_row(int index) {
  if (index >= 0 && index < 3)
    return &accounts[index];
  return NULL;
}

union number_or_name {
  int number;
  const char *name;
};

// What is in a union may be an address.
union number_or_name number_or_name(int number) {
  union number_or_name value;
  if (number > 3)
    value.name = "many";
  else
    value.number = number;
  return value;
}

// One member is not always written.
struct account half_filled(int number) {
  struct account account;
  account.number = number;
  if (number > 3)
    account.balance = 4;
  return account;
}

// What comes out depends on memory that was never written.
int unwritten_sum(int index) {
  volatile int numbers[4];
  if (index == 1)
    numbers[0] = 3;
  return index > 0 ? numbers[0] : 7;
}

// A pointer that is none.
void *sentinel(int number) {
  if (number > 3)
    return (void *)-1;
  if (number < 0)
    return (void *)8;
  return NULL;
}

// The address of what is gone when it is looked at.
const int *local_address(int number) {
  int local = number;
  const int *volatile address = &local;
  if (number > 3)
    return NULL;
  return address;
}

// What the C library keeps for itself is not looked into.
FILE *opened(int number) {
  if (number > 3)
    return stdout;
  return NULL;
}
