// Small functions of glibc: names of errors and signals, answers, addresses of Ethernet, messages of lookups.
#define _GNU_SOURCE
#include <malloc.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *or_none(const char *text) { return text ? text : "none"; }

int main(void) {
  for (int i = -1; i < 140; i++) printf("%d %s, %s\n", i, or_none(strerrorname_np(i)), or_none(strerrordesc_np(i)));
  for (int i = -1; i < 70; i++) printf("%d %s, %s\n", i, or_none(sigabbrev_np(i)), or_none(sigdescr_np(i)));
  for (int i = -110; i < 3; i++) printf("%s\n", gai_strerror(i));
  for (int i = -2; i < 7; i++) printf("%s\n", hstrerror(i));
  for (const char *answer = "yYnN?1 "; *answer; answer++) printf("%d ", rpmatch(answer));
  printf("%d\n", rpmatch(""));
  char secret[] = "secret";
  memfrob(secret, 6);
  printf("%s %lld %llu\n", secret, (long long)strtoq("-12x", 0, 10), (unsigned long long)strtouq("0x1f", 0, 0));
  void *page = pvalloc(10);
  printf("%d %d\n", (int)((uintptr_t)page % 4096), malloc_usable_size(page) >= 4096);
  static const char *const addresses[] = {"1:2:3:4:5:6", "01:a:FF:10:0:c", "1:2:3:4:5", "1:2:3:4:5:6:7", "1:2:3:4:5:6 x",
                                          "1:2:3:4:5:123", "1:2:3:4:5:", "g:2:3:4:5:6", "1:2:3:4:5:6x", ""};
  for (int i = 0; i < 10; i++) {
    struct ether_addr *found = ether_aton(addresses[i]);
    printf("%s\n", found ? ether_ntoa(found) : "none");
  }
  struct ether_addr address;
  char host[40] = "";
  int result = ether_line("1:2:3:4:5:6  name # comment", &address, host);
  printf("%d %s\n", result, host);
  result = ether_line("1:2:3:4:5:6 # comment", &address, host);
  printf("%d %d\n", result, fcloseall());
  return 0;
}
