/* All of it, to be compiled at once. */
#include "paths.c"

#include "clock.c"
#include "files.c"
#include "folders.c"
#include "glob.c"
#include "identity.c"
#include "programs.c"
#include "status.c"

#define REPLACEABLE
#define SUBSTITUTED(name) __secateur_##name
#include "chosen.c"
#include "failing.c"
#undef REPLACEABLE

/* __secateur_fts_open(), __secateur_fts_read(), __secateur_fts_set(), __secateur_fts_children() and
 * __secateur_fts_close(): the code of the C library, which calls the functions above. */
#define REPLACEABLE
#define fts_open __secateur_fts_open
#define fts_read __secateur_fts_read
#define fts_set __secateur_fts_set
#define fts_children __secateur_fts_children
#define fts_close __secateur_fts_close
#define opendir __secateur_opendir
#define readdir __secateur_readdir
#define closedir __secateur_closedir
#define stat(path, status) __secateur_stat(path, status)
#define lstat(path, status) __secateur_lstat(path, status)
#include "fts.c"

/* __secateur_nftw() and __secateur_ftw(), likewise. The machine has ended the path where CANNOT_WALK stands. */
#define CANNOT_WALK() return errno = ENOTSUP, -1
#define nftw __secateur_nftw
#define ftw __secateur_ftw
#include "walk.c"
#undef nftw
#undef ftw
int __secateur_nftw64(const char *, int (*)(const char *, const struct stat *, int, struct walk_place *), int, int)
    ALIAS(__secateur_nftw);
int __secateur_ftw64(const char *, int (*)(const char *, const struct stat *, int), int) ALIAS(__secateur_ftw);

/* __secateur_getpass() and __secateur_getauxval(), likewise. */
#define getpass __secateur_getpass
#include "getpass.c"
#define CANNOT_SHOW(what) (errno = ENOENT, 0)
#define getauxval __secateur_getauxval
#include "auxiliary.c"
