/* Locales: the C locale is the only one, as in native runs, whose environment names no other. musl
 * would accept every name, and take the empty one for C.UTF-8. */
#include "locale_impl.h"
#include "replaceable.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

/* Defined nowhere, so that calling it ends the path as unsupported: glibc itself contains the locale C.UTF-8. */
void __secateur_locale_other_than_C(void);

volatile int __locale_lock[1];
volatile int *const __locale_lockptr = __locale_lock;

static const char *const variables[] = {
    "LC_CTYPE",    "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY",  "LC_MESSAGES",    "LC_ALL",
    "LC_PAPER",    "LC_NAME",    "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION",
};
enum { CATEGORIES = sizeof variables / sizeof *variables };

/* The name that the environment gives to a category. */
static const char *environment_name(int category) {
  const char *const asked[] = {"LC_ALL", variables[category], "LANG"};
  for (int i = 0; i < 3; i++) {
    const char *name = getenv(asked[i]);
    if (name && *name) return name;
  }
  return "C";
}

static int is_c_locale(int category, const char *name) {
  if (!*name) name = environment_name(category);
  if (!strcmp(name, "C") || !strcmp(name, "POSIX")) return 1;
  if (!strncmp(name, "C.", 2)) __secateur_locale_other_than_C();
  errno = ENOENT;
  return 0;
}

/* How musl's newlocale looks for a locale; no map is the C locale. */
const struct __locale_map *__get_locale(int category, const char *name) {
  return is_c_locale(category, name) ? 0 : LOC_MAP_FAILED;
}

const char *__lctrans_impl(const char *message, const struct __locale_map *map) {
  (void)map;
  return message;
}

REPLACEABLE char *setlocale(int category, const char *name) {
  if (category < 0 || category >= CATEGORIES) {
    errno = EINVAL;
    return 0;
  }
  if (!name) return "C";
  if (category != LC_ALL) return is_c_locale(category, name) ? "C" : 0;
  /* A list of one name for each category. */
  if (strchr(name, ';')) __secateur_locale_other_than_C();
  if (*name) return is_c_locale(category, name) ? "C" : 0;
  for (int i = 0; i < CATEGORIES; i++)
    if (i != LC_ALL && !is_c_locale(i, name)) return 0;
  return "C";
}

/* --- Properties of the C locale ------------------------------------------------------------- */

static const char *const time_texts[] = {
    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat",
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
    "AM", "PM",
    [D_T_FMT & 0xffff] = "%a %b %e %H:%M:%S %Y",
    [D_FMT & 0xffff] = "%m/%d/%y",
    [T_FMT & 0xffff] = "%H:%M:%S",
    [T_FMT_AMPM & 0xffff] = "%I:%M:%S %p",
};

/* _DATE_FMT, which only glibc has. */
enum { GLIBC_DATE_FMT = 0x2006c };

char *__nl_langinfo(nl_item item) {
  if (item >= ABDAY_1 && item <= T_FMT_AMPM) return (char *)time_texts[item - ABDAY_1];
  /* The name of a category's locale. */
  if (item >= 0 && item >> 16 < CATEGORIES && (item & 0xffff) == 0xffff) return "C";
  switch (item) {
    case CODESET: return "ANSI_X3.4-1968";
    case RADIXCHAR: return ".";
    case CRNCYSTR: return "-";
    case YESEXPR: return "^[yY]";
    case NOEXPR: return "^[nN]";
    case GLIBC_DATE_FMT: return "%a %b %e %H:%M:%S %Z %Y";
  }
  return "";
}

char *__nl_langinfo_l(nl_item item, locale_t locale) {
  (void)locale;
  return __nl_langinfo(item);
}

weak_alias(__nl_langinfo, nl_langinfo);
weak_alias(__nl_langinfo_l, nl_langinfo_l);
