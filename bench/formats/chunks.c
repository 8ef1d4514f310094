/* An image format of chunks, as PNG is: a signature, then chunks of a length, a type, data and the CRC-32 of type and
 * data. A decoder looks at no chunk whose CRC is wrong. It aborts when a complete image has a transparent colour that
 * its palette lacks. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t table[256];

static void make_table(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320u ^ rest >> 1 : rest >> 1;
    table[byte] = rest;
  }
}

static uint32_t crc32(const uint8_t *bytes, size_t size) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < size; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
  return ~crc;
}

static uint32_t word(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

struct image {
  uint8_t width, height, depth;
  uint32_t colours, transparent;
  int has_header, has_transparency;
};

/* Handles one chunk; returns a negative number if it is not valid, and 1 after the last one. */
static int handle(struct image *image, uint32_t type, const uint8_t *data, uint32_t length) {
  if (!image->has_header && type != 0x48454144) return -1;
  switch (type) {
    case 0x48454144: /* HEAD */
      if (image->has_header || length != 4) return -1;
      image->width = data[0];
      image->height = data[1];
      image->depth = data[2];
      if (image->width == 0 || image->height == 0 || (image->depth != 4 && image->depth != 8)) return -1;
      if (data[3] != 3) return -1;
      image->has_header = 1;
      return 0;
    case 0x50414c45: /* PALE */
      if (length == 0 || length % 3 != 0 || length / 3 > 1u << image->depth) return -1;
      image->colours = length / 3;
      return 0;
    case 0x54524e53: /* TRNS */
      if (length != 1 || image->colours == 0) return -1;
      image->transparent = data[0];
      image->has_transparency = 1;
      return 0;
    case 0x44415441: /* DATA */
      return length == 0 ? -1 : 0;
    case 0x5441494c: /* TAIL */
      return length == 0 ? 1 : -1;
    default:
      return (type >> 24 & 0x20) != 0 ? 0 : -1; /* a lower-case letter marks what may be ignored */
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t signature[8] = {0x89, 'C', 'H', 'K', '\r', '\n', 0x1a, '\n'};
  struct image image = {0};
  if (table[1] == 0) make_table();
  if (size < 8 || memcmp(data, signature, 8) != 0) return 0;
  size_t at = 8;
  while (size - at >= 12) {
    uint32_t length = word(data + at);
    if (length > size - at - 12) return 0;
    if (crc32(data + at + 4, length + 4) != word(data + at + 8 + length)) return 0;
    int result = handle(&image, word(data + at + 4), data + at + 8, length);
    if (result < 0) return 0;
    if (result > 0) {
      if (image.has_transparency && image.transparent >= image.colours) abort();
      return 0;
    }
    at += 12 + length;
  }
  return 0;
}
