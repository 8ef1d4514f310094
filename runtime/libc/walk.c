/* <ftw.h>: replay has the same functions, so that native runs walk in the same order. */
#define _GNU_SOURCE
#include "replaceable.h"

/* Defined nowhere, so that calling it ends the path as unsupported. */
void __secateur_nftw_changing_folders(void);
#define CANNOT_WALK() __secateur_nftw_changing_folders()

#include "../replay/world/walk.c"

weak_alias(nftw, nftw64);
weak_alias(ftw, ftw64);
