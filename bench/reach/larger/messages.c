/* A connection that takes 40 messages in the right order: no bound on loops that anybody would choose gets there.
 *
 * TARGET finished reached
 * TARGET retried reached
 * TARGET closed_early reached
 * TARGET data_before_key unreachable
 * TARGET too_many_keys unreachable
 */
#include "goals.h"

enum { MESSAGES = 60, NEEDED = 40 };
enum state { IDLE, GREETED, KEYED, TRANSFER, DONE, CLOSED };
enum message { HELLO, KEY, DATA, ACKNOWLEDGE, RETRY, BYE };

struct connection {
  enum state state;
  unsigned received;
  unsigned keys;
  unsigned retries;
  unsigned char expected;
};

GOAL(finished)
GOAL(retried)
GOAL(closed_early)
GOAL(data_before_key)
GOAL(too_many_keys)

static void reset(struct connection *connection) {
  connection->state = IDLE;
  connection->received = 0;
  connection->keys = 0;
  connection->retries = 0;
  connection->expected = 0;
}

static int on_hello(struct connection *connection) {
  if (connection->state != IDLE)
    return 0;
  connection->state = GREETED;
  connection->received++;
  return 1;
}

static int on_key(struct connection *connection, unsigned char value) {
  if (connection->state != GREETED)
    return 0;
  if (value < 0x10)
    return 0;
  connection->keys++;
  if (connection->keys > 1)
    too_many_keys();
  connection->state = KEYED;
  connection->received++;
  return 1;
}

static int on_data(struct connection *connection, unsigned char value) {
  if (connection->state != KEYED && connection->state != TRANSFER)
    return 0;
  if (connection->keys == 0)
    data_before_key();
  if (value != connection->expected)
    return 0;
  connection->state = TRANSFER;
  connection->expected = (unsigned char)(connection->expected * 5 + 3);
  connection->received++;
  return 1;
}

static int on_retry(struct connection *connection) {
  if (connection->state != TRANSFER)
    return 0;
  connection->retries++;
  if (connection->retries == 3)
    retried();
  return 1;
}

static int on_acknowledge(struct connection *connection) {
  if (connection->state != TRANSFER || connection->received < NEEDED - 1)
    return 0;
  connection->received++;
  connection->state = DONE;
  return 1;
}

static int on_bye(struct connection *connection) {
  if (connection->state == IDLE)
    return 0;
  if (connection->state == KEYED)
    closed_early();
  connection->state = CLOSED;
  return 1;
}

static int step(struct connection *connection, unsigned char kind, unsigned char value) {
  switch (kind) {
  case HELLO:
    return on_hello(connection);
  case KEY:
    return on_key(connection, value);
  case DATA:
    return on_data(connection, value);
  case ACKNOWLEDGE:
    return on_acknowledge(connection);
  case RETRY:
    return on_retry(connection);
  case BYE:
    return on_bye(connection);
  default:
    return 0;
  }
}

int main(void) {
  struct connection connection;
  reset(&connection);
  unsigned char input[2 * MESSAGES];
  klee_make_symbolic(input, sizeof input, "input");
  for (unsigned i = 0; i < MESSAGES; i++) {
    if (!step(&connection, input[2 * i], input[2 * i + 1]))
      return 1;
    if (connection.state == DONE) {
      finished();
      return 0;
    }
    if (connection.state == CLOSED)
      return 2;
  }
  return 3;
}
