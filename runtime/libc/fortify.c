/* The checked functions that glibc's headers call under _FORTIFY_SOURCE. Each knows the size of its
 * destination, refuses what does not fit, as glibc does, and calls the plain one. */
#define _GNU_SOURCE
#define _BSD_SOURCE
#include "replaceable.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>
#include <wchar.h>

REPLACEABLE _Noreturn void __chk_fail(void) {
  fputs("*** buffer overflow detected ***: terminated\n", stderr);
  abort();
}

static void need(size_t bytes, size_t size) {
  if (bytes > size) __chk_fail();
}

/* --- Memory and strings -------------------------------------------------------------------- */

REPLACEABLE void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t size) {
  need(n, size);
  return memcpy(to, from, n);
}

REPLACEABLE void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
  need(n, size);
  return memmove(to, from, n);
}

REPLACEABLE void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t size) {
  need(n, size);
  return (char *)memcpy(to, from, n) + n;
}

REPLACEABLE void *__memset_chk(void *to, int byte, size_t n, size_t size) {
  need(n, size);
  return memset(to, byte, n);
}

REPLACEABLE void __explicit_bzero_chk(void *to, size_t n, size_t size) {
  need(n, size);
  memset(to, 0, n);
}

REPLACEABLE char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t size) {
  for (; size > 0; to++, from++, size--)
    if (!(*to = *from)) return to;
  __chk_fail();
}

REPLACEABLE char *__strcpy_chk(char *restrict to, const char *restrict from, size_t size) {
  __stpcpy_chk(to, from, size);
  return to;
}

REPLACEABLE char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t size) {
  need(n, size);
  return stpncpy(to, from, n);
}

REPLACEABLE char *__strncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t size) {
  need(n, size);
  return strncpy(to, from, n);
}

REPLACEABLE char *__strcat_chk(char *restrict to, const char *restrict from, size_t size) {
  size_t length = strnlen(to, size);
  __stpcpy_chk(to + length, from, size - length);
  return to;
}

REPLACEABLE char *__strncat_chk(char *restrict to, const char *restrict from, size_t n, size_t size) {
  size_t start = strnlen(to, size), added = strnlen(from, n);
  if (added >= size - start) __chk_fail();
  memcpy(to + start, from, added);
  to[start + added] = 0;
  return to;
}

REPLACEABLE wchar_t *__wmemcpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t n, size_t size) {
  need(n, size);
  return wmemcpy(to, from, n);
}

REPLACEABLE wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t size) {
  need(n, size);
  return wmemset(to, c, n);
}

REPLACEABLE wchar_t *__wcscpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  need(wcslen(from) + 1, size);
  return wcscpy(to, from);
}

/* --- printf -------------------------------------------------------------------------------- */

/* The flag asks glibc to refuse %n in a writable format; formats are not checked for that here. */

REPLACEABLE int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list arguments) {
  (void)flag;
  return vfprintf(f, format, arguments);
}

REPLACEABLE int __vprintf_chk(int flag, const char *restrict format, va_list arguments) {
  return __vfprintf_chk(stdout, flag, format, arguments);
}

REPLACEABLE int __vdprintf_chk(int fd, int flag, const char *restrict format, va_list arguments) {
  (void)flag;
  return vdprintf(fd, format, arguments);
}

REPLACEABLE int __vasprintf_chk(char **s, int flag, const char *restrict format, va_list arguments) {
  (void)flag;
  return vasprintf(s, format, arguments);
}

REPLACEABLE int __vsnprintf_chk(char *restrict s, size_t n, int flag, size_t size, const char *restrict format,
                                va_list arguments) {
  (void)flag;
  need(n, size);
  return vsnprintf(s, n, format, arguments);
}

REPLACEABLE int __vsprintf_chk(char *restrict s, int flag, size_t size, const char *restrict format,
                               va_list arguments) {
  (void)flag;
  int length = vsnprintf(s, size, format, arguments);
  if (length >= 0 && (size_t)length >= size) __chk_fail();
  return length;
}

#define CALL(function, last, ...)                   \
  va_list arguments;                                \
  va_start(arguments, last);                        \
  int result = function(__VA_ARGS__, last, arguments); \
  va_end(arguments);                                \
  return result

REPLACEABLE int __printf_chk(int flag, const char *restrict format, ...) { CALL(__vprintf_chk, format, flag); }

REPLACEABLE int __fprintf_chk(FILE *restrict f, int flag, const char *restrict format, ...) {
  CALL(__vfprintf_chk, format, f, flag);
}

REPLACEABLE int __dprintf_chk(int fd, int flag, const char *restrict format, ...) {
  CALL(__vdprintf_chk, format, fd, flag);
}

REPLACEABLE int __asprintf_chk(char **s, int flag, const char *restrict format, ...) {
  CALL(__vasprintf_chk, format, s, flag);
}

REPLACEABLE int __snprintf_chk(char *restrict s, size_t n, int flag, size_t size, const char *restrict format, ...) {
  CALL(__vsnprintf_chk, format, s, n, flag, size);
}

REPLACEABLE int __sprintf_chk(char *restrict s, int flag, size_t size, const char *restrict format, ...) {
  CALL(__vsprintf_chk, format, s, flag, size);
}

/* --- Input --------------------------------------------------------------------------------- */

REPLACEABLE char *__fgets_chk(char *restrict s, size_t size, int n, FILE *restrict f) {
  if (n > 0) need((size_t)n, size);
  return fgets(s, n, f);
}

REPLACEABLE char *__fgets_unlocked_chk(char *restrict s, size_t size, int n, FILE *restrict f) {
  return __fgets_chk(s, size, n, f);
}

REPLACEABLE char *__gets_chk(char *s, size_t size) {
  size_t length = 0;
  int c;
  while ((c = getchar()) != EOF && c != '\n') {
    if (length + 1 >= size) __chk_fail();
    s[length++] = (char)c;
  }
  if (c == EOF && (length == 0 || ferror(stdin))) return 0;
  s[length] = 0;
  return s;
}

REPLACEABLE size_t __fread_chk(void *restrict to, size_t size, size_t item, size_t n, FILE *restrict f) {
  if (item != 0 && n > size / item) __chk_fail();
  return fread(to, item, n, f);
}

REPLACEABLE size_t __fread_unlocked_chk(void *restrict to, size_t size, size_t item, size_t n, FILE *restrict f) {
  return __fread_chk(to, size, item, n, f);
}

REPLACEABLE ssize_t __read_chk(int fd, void *to, size_t n, size_t size) {
  need(n, size);
  return read(fd, to, n);
}

REPLACEABLE ssize_t __pread_chk(int fd, void *to, size_t n, off_t offset, size_t size) {
  need(n, size);
  return pread(fd, to, n, offset);
}

REPLACEABLE ssize_t __readlink_chk(const char *restrict path, char *restrict to, size_t n, size_t size) {
  need(n, size);
  return readlink(path, to, n);
}

REPLACEABLE char *__getcwd_chk(char *to, size_t n, size_t size) {
  need(n, size);
  return getcwd(to, n);
}

REPLACEABLE char *__realpath_chk(const char *restrict path, char *restrict to, size_t size) {
  need(PATH_MAX, size);
  return realpath(path, to);
}

/* The index of the word of an fd_set that holds this file descriptor. */
REPLACEABLE long __fdelt_chk(long fd) {
  if (fd < 0 || fd >= FD_SETSIZE) __chk_fail();
  return fd / (long)(8 * sizeof(long));
}
