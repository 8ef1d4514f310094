/* Functions that do what glibc's do for usual arguments. For others, musl answers differently, so the path ends as
 * unsupported: the functions that are called then are defined nowhere. musl's own go by other names
 * (scripts/libc-member.sh). */
#include "replaceable.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

int __musl_inet_aton(const char *, struct in_addr *);
const char *__musl_inet_ntop(int, const void *restrict, char *restrict, socklen_t);

void __secateur_inet_aton_space(void);
void __secateur_inet_ntop_embedded_address(void);

REPLACEABLE int inet_aton(const char *text, struct in_addr *address) {
  for (const char *s = text; *s; s++)
    if (*s == ' ' || (*s >= '\t' && *s <= '\r')) __secateur_inet_aton_space();
  return __musl_inet_aton(text, address);
}

REPLACEABLE const char *inet_ntop(int family, const void *restrict address, char *restrict text, socklen_t size) {
  if (family == AF_INET6) {
    const unsigned char *bytes = address;
    int zeros = 0;
    while (zeros < 12 && bytes[zeros] == 0) zeros++;
    if (zeros == 12 && (bytes[12] || bytes[13])) __secateur_inet_ntop_embedded_address();
  }
  return __musl_inet_ntop(family, address, text, size);
}

/* Two slashes at the start are kept, but not three. */
REPLACEABLE char *dirname(char *path) {
  if (!path || !*path) return ".";
  size_t end = strlen(path);
  while (end > 0 && path[end - 1] == '/') end--;
  while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0) return path[0] == '/' ? (path[1] == '/' && path[2] != '/' ? "//" : "/") : ".";
  while (end > 0 && path[end - 1] == '/') end--;
  if (end == 0) return path[1] == '/' && path[2] != '/' ? "//" : "/";
  path[end] = 0;
  return path;
}
