/* zlib: inflates data with the header of zlib or gzip, at most 4 KB of it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "zlib.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned char text[4096];
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  /* 15 for the largest window, 32 to detect which header it is. */
  if (inflateInit2(&stream, 15 + 32) != Z_OK)
    return 0;
  stream.next_in = (z_const Bytef *)data;
  stream.avail_in = (uInt)size;
  stream.next_out = text;
  stream.avail_out = sizeof text;
  inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return 0;
}
