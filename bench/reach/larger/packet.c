/* Packets with a header, a type, a length and a checksum: what is behind the checksum is hard to reach from the start, and
 * what the checks rule out cannot be reached at all.
 *
 * TARGET accepted reached
 * TARGET long_text reached
 * TARGET options_end reached
 * TARGET nested_ping reached
 * TARGET checksum_wrong reached
 * TARGET length_contradiction unreachable
 * TARGET type_contradiction unreachable
 * TARGET version_contradiction unreachable
 */
#include "goals.h"

enum { MAX_PACKET = 32, HEADER = 6 };
enum type { PING = 1, TEXT = 2, OPTIONS = 3, NESTED = 4 };
enum result { OK = 0, SHORT = 1, BAD_MAGIC = 2, BAD_VERSION = 3, BAD_TYPE = 4, BAD_LENGTH = 5, BAD_SUM = 6, BAD_BODY = 7 };

struct packet {
  unsigned char version;
  unsigned char type;
  unsigned char flags;
  unsigned char length;
  const unsigned char *body;
};

GOAL(accepted)
GOAL(long_text)
GOAL(options_end)
GOAL(nested_ping)
GOAL(checksum_wrong)
GOAL(length_contradiction)
GOAL(type_contradiction)
GOAL(version_contradiction)

static unsigned char sum_of(const unsigned char *bytes, unsigned count) {
  unsigned sum = 0x5a;
  for (unsigned i = 0; i < count; i++)
    sum = (sum + bytes[i] * (i + 1)) & 0xff;
  return (unsigned char)sum;
}

static enum result read_header(const unsigned char *bytes, unsigned size, struct packet *packet) {
  if (size < HEADER)
    return SHORT;
  if (bytes[0] != 0xca)
    return BAD_MAGIC;
  packet->version = bytes[1] >> 4;
  packet->flags = bytes[1] & 0x0f;
  if (packet->version < 2 || packet->version > 5)
    return BAD_VERSION;
  packet->type = bytes[2];
  if (packet->type < PING || packet->type > NESTED)
    return BAD_TYPE;
  packet->length = bytes[3];
  if (packet->length > size - HEADER)
    return BAD_LENGTH;
  packet->body = bytes + HEADER;
  if (sum_of(packet->body, packet->length) != bytes[4]) {
    checksum_wrong();
    return BAD_SUM;
  }
  return OK;
}

static enum result handle_text(const struct packet *packet) {
  unsigned printable = 0;
  for (unsigned i = 0; i < packet->length; i++) {
    if (packet->body[i] < 0x20 || packet->body[i] > 0x7e)
      return BAD_BODY;
    printable++;
  }
  if (printable > MAX_PACKET)
    length_contradiction();
  if (printable == 12 && packet->body[0] == '#')
    long_text();
  return OK;
}

static enum result handle_options(const struct packet *packet) {
  unsigned at = 0;
  int seen = 0;
  while (at < packet->length) {
    unsigned char kind = packet->body[at];
    if (kind == 0) {
      if (seen == 3)
        options_end();
      return OK;
    }
    if (at + 1 >= packet->length)
      return BAD_BODY;
    unsigned char count = packet->body[at + 1];
    if (count < 2)
      return BAD_BODY;
    at += count;
    seen++;
  }
  return seen > 0 ? OK : BAD_BODY;
}

static enum result handle_nested(const struct packet *packet) {
  struct packet inner;
  enum result result = read_header(packet->body, packet->length, &inner);
  if (result != OK)
    return result;
  if (inner.type == PING && inner.flags == 7 && packet->flags == 3)
    nested_ping();
  return OK;
}

static enum result handle(const struct packet *packet) {
  switch (packet->type) {
  case PING:
    if (packet->version > 5)
      version_contradiction();
    return packet->length == 0 ? OK : BAD_BODY;
  case TEXT:
    return handle_text(packet);
  case OPTIONS:
    return handle_options(packet);
  case NESTED:
    return handle_nested(packet);
  }
  type_contradiction();
  return BAD_TYPE;
}

int main(void) {
  unsigned char bytes[MAX_PACKET];
  klee_make_symbolic(bytes, sizeof bytes, "packet");
  struct packet packet;
  enum result result = read_header(bytes, sizeof bytes, &packet);
  if (result == OK)
    result = handle(&packet);
  if (result == OK)
    accepted();
  return result;
}
