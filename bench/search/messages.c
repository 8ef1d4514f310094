/* A connection that takes messages of type, length and content: what it answers depends on what came before. */
#include "../harness.h"

#ifndef SIZE
#define SIZE 20
#endif

enum state { CLOSED, GREETED, KNOWN, OPEN, BROKEN };

struct connection {
  enum state state;
  unsigned char session;
  int stored;
};

static unsigned char checksum(const unsigned char *bytes, int count) {
  unsigned char sum = 0x5a;
  for (int i = 0; i < count; i++) sum = (unsigned char)((sum << 1 | sum >> 7) ^ bytes[i]);
  return sum;
}

static void take(struct connection *at, unsigned char type, const unsigned char *content, int length) {
  switch (type) {
    case 1:
      if (at->state != CLOSED || length != 1) at->state = BROKEN;
      else {
        at->session = content[0];
        at->state = GREETED;
      }
      break;
    case 2:
      if (at->state != GREETED) at->state = BROKEN;
      else if (length == 2 && content[0] == at->session && content[1] == 0x42) at->state = KNOWN;
      break;
    case 3:
      if (at->state == KNOWN && length > 0 && content[0] == checksum(content + 1, length - 1)) at->state = OPEN;
      else if (at->state != KNOWN) at->state = BROKEN;
      break;
    case 4:
      if (at->state == OPEN) at->stored += length;
      break;
    case 5: at->state = CLOSED; break;
    default: at->state = BROKEN; break;
  }
}

volatile int sink;

int main(void) {
  unsigned char bytes[SIZE];
  struct connection connection = {CLOSED, 0, 0};
  SYM(bytes, "bytes");
  int position = 0;
  while (position + 2 <= SIZE && connection.state != BROKEN) {
    unsigned char type = bytes[position], length = bytes[position + 1];
    position += 2;
    if (length > 4 || position + length > SIZE) break;
    take(&connection, type, bytes + position, length);
    position += length;
  }
  if (connection.state == OPEN && connection.stored > 3) sink = 1;
  else if (connection.state == BROKEN) sink = 2;
  return 0;
}
