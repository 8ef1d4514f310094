/* Linked before the program under AddressSanitizer, which guards only the end of a global variable: what
 * is in front of the program's first variable in each section would be other valid memory. These
 * variables come first instead, and replay.c makes them inaccessible. */
#include "replay.h"

#define BEFORE __attribute__((used, aligned(SECATEUR_BEFORE), no_sanitize("address")))

BEFORE char __secateur_before_data[SECATEUR_BEFORE] = {1};
BEFORE char __secateur_before_bss[SECATEUR_BEFORE];
BEFORE const char __secateur_before_rodata[SECATEUR_BEFORE] = {1};
/* With an address in it, it is relocated, and so in yet another section. */
BEFORE const void *const __secateur_before_relro[SECATEUR_BEFORE / sizeof(void *)] = {__secateur_before_data};
