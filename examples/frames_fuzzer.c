/* A libFuzzer harness for a small binary format, as devices exchange it: frames with a magic number, a length, a command
 * and a checksum.
 *
 *     secateur run examples/frames_fuzzer.c --max-time 60s
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint32_t registers[8];
static int unlocked;

/* The checksum of a whole frame, its own two bytes included, is 0. */
static uint16_t checksum(const uint8_t *bytes, size_t size) {
  uint16_t sum = 0x1d0f;
  for (size_t i = 0; i < size; i++) sum = (uint16_t)((sum << 3 | sum >> 13) ^ bytes[i]);
  return sum;
}

/* Runs one command; returns a negative number if it is not valid. */
static int run(uint8_t command, const uint8_t *body, size_t size) {
  switch (command) {
    case 'r':
      return size == 1 && body[0] < 8 ? (int)(registers[body[0]] & 0xff) : -1;
    case 'w':
      if (size != 5 || body[0] > 8) return -1;
      memcpy(&registers[body[0]], body + 1, 4); /* one too far if it is 8 */
      return 0;
    case 'u':
      unlocked = size == 6 && memcmp(body, "unlock", 6) == 0;
      return unlocked ? 0 : -1;
    case 'z':
      if (!unlocked) return -1;
      memset(registers, 0, sizeof registers);
      return 0;
    default:
      return -1;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  memset(registers, 0, sizeof registers);
  unlocked = 0;
  while (size >= 8) {
    if (memcmp(data, "FRM", 3) != 0) break;
    size_t length = data[3];
    if (length > size - 8) break;
    if (checksum(data, 8 + length) != 0) break;
    if (data[6] != 1 && data[6] != 2) break;
    if (run(data[7], data + 8, length) < 0) break;
    data += 8 + length;
    size -= 8 + length;
  }
  return 0;
}
