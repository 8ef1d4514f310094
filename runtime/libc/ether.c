/* Addresses of Ethernet as text, as glibc writes and reads it. Names of hosts are in no file. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <ctype.h>
#include <netinet/ether.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = sizeof(struct ether_addr), TEXT_SIZE = 18 };

static int digit(char c) {
  if (isdigit(c)) return c - '0';
  c = (char)tolower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads bytes of one or two digits; where they end, or NULL. Only behind a last one of two
 * digits may anything follow. */
static const char *read_address(const char *text, struct ether_addr *address) {
  for (int i = 0; i < BYTES; i++) {
    int value = digit(*text);
    if (value < 0) return 0;
    text++;
    int has_two = digit(*text) >= 0;
    if (has_two) value = value * 16 + digit(*text++);
    if (i < BYTES - 1 ? *text++ != ':' : !has_two && *text && !isspace((unsigned char)*text)) return 0;
    address->ether_addr_octet[i] = (unsigned char)value;
  }
  return text;
}

REPLACEABLE struct ether_addr *ether_aton_r(const char *text, struct ether_addr *address) {
  return read_address(text, address) ? address : 0;
}

REPLACEABLE struct ether_addr *ether_aton(const char *text) {
  static struct ether_addr address;
  return ether_aton_r(text, &address);
}

REPLACEABLE char *ether_ntoa_r(const struct ether_addr *address, char *text) {
  const unsigned char *bytes = address->ether_addr_octet;
  sprintf(text, "%x:%x:%x:%x:%x:%x", bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]);
  return text;
}

REPLACEABLE char *ether_ntoa(const struct ether_addr *address) {
  static char text[TEXT_SIZE];
  return ether_ntoa_r(address, text);
}

/* A line of /etc/ethers: an address and a name, perhaps with a comment. */
REPLACEABLE int ether_line(const char *line, struct ether_addr *address, char *host) {
  size_t length = strcspn(line, "#\n");
  struct ether_addr found;
  const char *end = read_address(line, &found);
  if (!end) return -1;
  while (end < line + length && isspace((unsigned char)*end)) end++;
  const char *start = end;
  while (end < line + length && !isspace((unsigned char)*end)) end++;
  if (start == end) return -1;
  *address = found;
  memcpy(host, start, (size_t)(end - start));
  host[end - start] = 0;
  return 0;
}

REPLACEABLE int ether_ntohost(char *host, const struct ether_addr *address) {
  (void)host, (void)address;
  return -1;
}

REPLACEABLE int ether_hostton(const char *host, struct ether_addr *address) {
  (void)host, (void)address;
  return -1;
}
