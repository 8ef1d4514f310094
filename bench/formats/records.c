/* Messages of a protocol: a magic number, a length, and the hash (FNV-1a, 32 bits) of a body of records. The receiver
 * reads no body whose hash is wrong. It aborts when a session that was opened is closed twice. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static uint32_t hash_of(const uint8_t *bytes, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

static uint32_t word(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

enum session { NONE, OPEN, CLOSED };

/* Runs the records of a body, each a kind and the number of a session. */
static void run(const uint8_t *body, size_t size) {
  enum session sessions[4] = {NONE, NONE, NONE, NONE};
  while (size >= 2) {
    uint8_t number = body[1];
    if (number >= 4) return;
    switch (body[0]) {
      case 'O':
        if (sessions[number] != NONE) return;
        sessions[number] = OPEN;
        break;
      case 'C':
        if (sessions[number] == NONE) return;
        if (sessions[number] == CLOSED) abort();
        sessions[number] = CLOSED;
        break;
      case 'N':
        break;
      default:
        return;
    }
    body += 2;
    size -= 2;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 12 || word(data) != 0x31534d47) return 0;
  uint32_t length = word(data + 4);
  if (length < 6 || length != size - 12) return 0;
  if (hash_of(data + 12, length) != word(data + 8)) return 0;
  run(data + 12, length);
  return 0;
}
