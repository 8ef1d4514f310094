/* Functions that programs compiled with glibc's headers call and musl lacks, or has under the same
 * name with another meaning. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The scanning functions of C23 --------------------------------------------------------- */

/* They differ from the plain ones in accepting binary integers; programs that rely on 0b being
 * refused or accepted are rare enough to leave that out. */

REPLACEABLE long __isoc23_strtol(const char *restrict s, char **restrict end, int base) {
  return strtol(s, end, base);
}

REPLACEABLE unsigned long __isoc23_strtoul(const char *restrict s, char **restrict end, int base) {
  return strtoul(s, end, base);
}

REPLACEABLE long long __isoc23_strtoll(const char *restrict s, char **restrict end, int base) {
  return strtoll(s, end, base);
}

REPLACEABLE unsigned long long __isoc23_strtoull(const char *restrict s, char **restrict end, int base) {
  return strtoull(s, end, base);
}

REPLACEABLE intmax_t __isoc23_strtoimax(const char *restrict s, char **restrict end, int base) {
  return strtoimax(s, end, base);
}

REPLACEABLE uintmax_t __isoc23_strtoumax(const char *restrict s, char **restrict end, int base) {
  return strtoumax(s, end, base);
}

REPLACEABLE int __isoc23_vfscanf(FILE *restrict f, const char *restrict format, va_list arguments) {
  return vfscanf(f, format, arguments);
}

REPLACEABLE int __isoc23_vscanf(const char *restrict format, va_list arguments) {
  return vfscanf(stdin, format, arguments);
}

REPLACEABLE int __isoc23_vsscanf(const char *restrict s, const char *restrict format, va_list arguments) {
  return vsscanf(s, format, arguments);
}

REPLACEABLE int __isoc23_fscanf(FILE *restrict f, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vfscanf(f, format, arguments);
  va_end(arguments);
  return count;
}

REPLACEABLE int __isoc23_scanf(const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vfscanf(stdin, format, arguments);
  va_end(arguments);
  return count;
}

REPLACEABLE int __isoc23_sscanf(const char *restrict s, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(s, format, arguments);
  va_end(arguments);
  return count;
}

/* --- Strings ------------------------------------------------------------------------------- */

REPLACEABLE void *rawmemchr(const void *memory, int byte) {
  const unsigned char *s = memory;
  while (*s != (unsigned char)byte) s++;
  return (void *)s;
}

weak_alias(rawmemchr, __rawmemchr);

/* With glibc's headers the plain name is GNU's function, which returns the message, and the other one
 * is that of POSIX. */
REPLACEABLE char *gnu_strerror_r(int error, char *buffer, size_t size) __asm__("strerror_r");
REPLACEABLE char *gnu_strerror_r(int error, char *buffer, size_t size) {
  (void)buffer, (void)size;
  return strerror(error);
}

REPLACEABLE int __xpg_strerror_r(int error, char *buffer, size_t size) {
  const char *message = strerror(error);
  size_t length = strlen(message);
  if (size == 0) return ERANGE;
  size_t copied = length < size ? length : size - 1;
  memcpy(buffer, message, copied);
  buffer[copied] = 0;
  return copied == length ? 0 : ERANGE;
}

/* Likewise: GNU's function never writes to the path, that of POSIX removes trailing slashes. */
REPLACEABLE char *gnu_basename(const char *path) __asm__("basename");
REPLACEABLE char *gnu_basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return (char *)(slash ? slash + 1 : path);
}

REPLACEABLE char *__xpg_basename(char *path) {
  if (!path || !*path) return ".";
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/') path[--end] = 0;
  size_t start = end;
  while (start > 0 && path[start - 1] != '/') start--;
  return start == end ? path + start - 1 : path + start;
}

/* What is none of the names is the value itself. */
REPLACEABLE int getsubopt(char **restrict options, char *const *restrict names, char **restrict value) {
  char *option = *options, *end = strchrnul(option, ',');
  *options = *end ? end + 1 : end;
  *end = 0;
  char *equals = strchr(option, '=');
  size_t length = equals ? (size_t)(equals - option) : (size_t)(end - option);
  for (int i = 0; names[i]; i++) {
    if (strncmp(option, names[i], length) || names[i][length]) continue;
    *value = equals ? equals + 1 : 0;
    return i;
  }
  *value = option;
  return -1;
}

/* --- Paths --------------------------------------------------------------------------------- */

char *canonicalize_file_name(const char *);
REPLACEABLE char *canonicalize_file_name(const char *path) { return realpath(path, 0); }

/* --- Device numbers ------------------------------------------------------------------------ */

unsigned gnu_dev_major(unsigned long);
unsigned gnu_dev_minor(unsigned long);
unsigned long gnu_dev_makedev(unsigned, unsigned);

REPLACEABLE unsigned gnu_dev_major(unsigned long device) {
  return (unsigned)(device >> 8 & 0xfff) | (unsigned)(device >> 32 & 0xfffff000);
}

REPLACEABLE unsigned gnu_dev_minor(unsigned long device) {
  return (unsigned)(device & 0xff) | (unsigned)(device >> 12 & 0xffffff00);
}

REPLACEABLE unsigned long gnu_dev_makedev(unsigned major, unsigned minor) {
  return (major & 0xfffUL) << 8 | (major & 0xfffff000UL) << 32 | (minor & 0xffUL) | (minor & 0xffffff00UL) << 12;
}
