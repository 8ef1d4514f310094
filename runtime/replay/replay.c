/* Linked into the natively compiled program so that it can be run on one test case.
 *
 * $SECATEUR_TEST names the test (a .ktest file). The functions through which a harness asks for
 * input hand out its objects in order, so a program that asks for another object than the one that
 * comes next has left the predicted path; this is reported at once instead of being
 * guessed at. $SECATEUR_TRACE names a file that receives the branches the program took; it is
 * mapped and shared, so it is complete however the program ends. */
#define _GNU_SOURCE
#include "replay.h"

#include "../include/klee/klee.h"
#include "../include/svcomp.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Programs may bring their own definition of any function of the interface. */
#define INTERFACE __attribute__((weak))

/* The trace is written on every branch; checks of our own code would only slow it down, and must
 * not report that a branch depends on uninitialised memory before the program itself does. */
#define UNCHECKED __attribute__((no_sanitize("address", "memory", "undefined")))

/* --- Ends ---------------------------------------------------------------------------------- */

/* Exit handlers belong to the program's normal end; here the path stops where it is. */
static _Noreturn void leave(int status) {
  fflush(NULL);
  _exit(status);
}

static _Noreturn __attribute__((format(printf, 1, 2))) void misfit(const char *format, ...) {
  fflush(stdout);
  fputs("secateur: the test does not fit: ", stderr);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  leave(SECATEUR_EXIT_MISFIT);
}

static _Noreturn void fail(const char *what) {
  fflush(stdout);
  fprintf(stderr, "secateur: %s\n", what);
  abort();
}

/* --- The test case ------------------------------------------------------------------------- */

struct object {
  char *name;
  uint32_t size;
  unsigned char *bytes; /* followed by a 0 that is not part of the object */
};

static struct {
  bool loaded;
  uint32_t count;
  uint32_t next;
  struct object *objects;
} test;

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL) misfit("not enough memory for it");
  return memory;
}

static uint32_t read_u32(FILE *file, const char *path) {
  unsigned char bytes[4];
  if (fread(bytes, 1, sizeof bytes, file) != sizeof bytes) misfit("%s is cut short", path);
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads a length and as many bytes. A damaged length must not make us allocate gigabytes, so the
 * length is compared with what is left of the file. */
static unsigned char *read_bytes(FILE *file, const char *path, long file_size, uint32_t *length) {
  *length = read_u32(file, path);
  if ((long)*length > file_size - ftell(file)) misfit("%s is cut short", path);
  unsigned char *bytes = allocate((size_t)*length + 1, 1);
  if (fread(bytes, 1, *length, file) != *length) misfit("%s is cut short", path);
  return bytes;
}

/* The layout is that of KLEE's version 3: "KTEST", the version, the command line, two fields about
 * symbolic arguments, then the objects; all integers are big-endian. */
static void load_test(void) {
  test.loaded = true;
  const char *path = getenv("SECATEUR_TEST");
  if (path == NULL) misfit("SECATEUR_TEST names no .ktest file");
  FILE *file = fopen(path, "rb");
  if (file == NULL) misfit("cannot read %s: %s", path, strerror(errno));
  if (fseek(file, 0, SEEK_END) != 0) misfit("cannot read %s: %s", path, strerror(errno));
  long file_size = ftell(file);
  rewind(file);

  char magic[5];
  if (fread(magic, 1, sizeof magic, file) != sizeof magic || memcmp(magic, "KTEST", sizeof magic) != 0)
    misfit("%s is not a .ktest file", path);
  uint32_t version = read_u32(file, path);
  if (version != 3) misfit("%s has version %u of the format, not 3", path, (unsigned)version);
  uint32_t argument_count = read_u32(file, path);
  for (uint32_t i = 0; i < argument_count; i++) {
    uint32_t length;
    free(read_bytes(file, path, file_size, &length));
  }
  read_u32(file, path);
  read_u32(file, path);

  test.count = read_u32(file, path);
  /* Each object takes at least the eight bytes of its two lengths. */
  if ((long)test.count > file_size / 8) misfit("%s is cut short", path);
  test.objects = allocate((size_t)test.count + 1, sizeof *test.objects);
  for (uint32_t i = 0; i < test.count; i++) {
    uint32_t length;
    test.objects[i].name = (char *)read_bytes(file, path, file_size, &length);
    test.objects[i].bytes = read_bytes(file, path, file_size, &test.objects[i].size);
  }
  fclose(file);
}

static bool ends_with(const char *text, const char *end) {
  size_t text_length = strlen(text), end_length = strlen(end);
  return text_length >= end_length && strcmp(text + text_length - end_length, end) == 0;
}

/* Whether the object describes the program's surroundings (arguments, standard input, files),
 * which are set up before the program starts and which it does not ask for by name. */
static bool is_surroundings(const char *name) {
  if (strcmp(name, "model_version") == 0 || strcmp(name, "n_args") == 0) return true;
  if (strncmp(name, "arg", 3) == 0 && name[3] != 0) return strspn(name + 3, "0123456789") == strlen(name + 3);
  return strcmp(name, "stdin") == 0 || ends_with(name, "-data") || ends_with(name, "-stat") ||
         strncmp(name, "env:", 4) == 0 || strncmp(name, "fresh:", 6) == 0;
}

static const struct object *next_object(const char *name) {
  if (!test.loaded) load_test();
  if (name == NULL || *name == 0) name = "unnamed";
  while (test.next < test.count && strcmp(test.objects[test.next].name, name) != 0 &&
         is_surroundings(test.objects[test.next].name))
    test.next++;
  if (test.next == test.count) misfit("the program asks for `%s`, but no object is left", name);
  const struct object *object = &test.objects[test.next];
  if (strcmp(object->name, name) != 0)
    misfit("the program asks for `%s`, but object %u is `%s`", name, (unsigned)test.next, object->name);
  test.next++;
  return object;
}

static void take(void *address, size_t size, const char *name) {
  const struct object *object = next_object(name);
  if (object->size != size)
    misfit("the program asks for %zu bytes of `%s`, but the object has %u", size, object->name,
           (unsigned)object->size);
  memcpy(address, object->bytes, size);
}

/* --- KLEE ---------------------------------------------------------------------------------- */

INTERFACE void klee_make_symbolic(void *address, size_t size, const char *name) { take(address, size, name); }

/* Old harnesses give no name; their calls come here, since the third argument would be anything. */
void __secateur_make_unnamed(void *address, size_t size);
void __secateur_make_unnamed(void *address, size_t size) { take(address, size, NULL); }

/* No path goes on behind it, so that no test depends on what is there. */
INTERFACE void klee_define_fixed_object(void *address, size_t size) { (void)address, (void)size; }

INTERFACE int klee_int(const char *name) {
  int value;
  take(&value, sizeof value, name);
  return value;
}

INTERFACE int klee_range(int begin, int end, const char *name) {
  if (begin >= end) fail("report_error: klee_range was called with an empty range");
  int value = klee_int(name);
  if (value < begin || value >= end) leave(SECATEUR_EXIT_CUT);
  return value;
}

INTERFACE uintptr_t klee_choose(uintptr_t count) {
  if (count == 0) leave(SECATEUR_EXIT_CUT);
  uintptr_t value;
  take(&value, sizeof value, "klee_choose");
  if (value >= count) leave(SECATEUR_EXIT_CUT);
  return value;
}

INTERFACE void klee_assume(uintptr_t condition) {
  if (condition == 0) leave(SECATEUR_EXIT_CUT);
}

INTERFACE void klee_silent_exit(int status) {
  (void)status;
  leave(SECATEUR_EXIT_CUT);
}

INTERFACE void klee_abort(void) { abort(); }

INTERFACE void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  fflush(stdout);
  fprintf(stderr, "secateur: report_error %s:%d: %s (%s)\n", file, line, message, suffix);
  abort();
}

INTERFACE unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}

INTERFACE unsigned klee_is_replay(void) { return 1; }

/* AddressSanitizer knows the bounds of all objects; without it nobody does. */
__attribute__((weak)) const char *__asan_locate_address(void *address, char *name, size_t name_size,
                                                        void **region_address, size_t *region_size);

INTERFACE size_t klee_get_obj_size(void *address) {
  if (__asan_locate_address == NULL) misfit("klee_get_obj_size needs a replay with AddressSanitizer");
  char name[1];
  void *region = NULL;
  size_t size = 0;
  __asan_locate_address(address, name, sizeof name, &region, &size);
  return size;
}

INTERFACE int klee_get_errno(void) { return errno; }

INTERFACE float klee_get_valuef(float value) { return value; }
INTERFACE double klee_get_valued(double value) { return value; }
INTERFACE long klee_get_valuel(long value) { return value; }
INTERFACE long long klee_get_valuell(long long value) { return value; }
INTERFACE int32_t klee_get_value_i32(int32_t value) { return value; }
INTERFACE int64_t klee_get_value_i64(int64_t value) { return value; }

/* A read of each byte makes the sanitizer, or the processor, report a bad one. */
INTERFACE void klee_check_memory_access(const void *address, size_t size) {
  for (size_t i = 0; i < size; i++) (void)((const volatile char *)address)[i];
}

INTERFACE void klee_warning(const char *message) { fprintf(stderr, "secateur: warning: %s\n", message); }
INTERFACE void klee_warning_once(const char *message) { (void)message; }
INTERFACE void klee_print_expr(const char *message, ...) { (void)message; }
INTERFACE void klee_print_range(const char *message, int value) { (void)message, (void)value; }

INTERFACE void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
INTERFACE void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
INTERFACE void klee_stack_trace(void) {}
INTERFACE void klee_open_merge(void) {}
INTERFACE void klee_close_merge(void) {}
INTERFACE void klee_mark_global(void *object) { (void)object; }
INTERFACE void klee_set_forking(unsigned enable) { (void)enable; }

/* --- SV-COMP ------------------------------------------------------------------------------- */

#define NONDET(type, suffix)                             \
  INTERFACE type __VERIFIER_nondet_##suffix(void) {      \
    type value;                                          \
    take(&value, sizeof value, "__VERIFIER_nondet_" #suffix); \
    return value;                                        \
  }

NONDET(char, char)
NONDET(signed char, schar)
NONDET(unsigned char, uchar)
NONDET(unsigned char, unsigned_char)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned int, uint)
NONDET(unsigned int, unsigned)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(__int128, int128)
NONDET(unsigned __int128, uint128)
NONDET(size_t, size_t)
NONDET(signed char, s8)
NONDET(short, s16)
NONDET(int, s32)
NONDET(long long, s64)
NONDET(unsigned char, u8)
NONDET(unsigned short, u16)
NONDET(unsigned int, u32)
NONDET(unsigned int, U32)
NONDET(unsigned long long, u64)
NONDET(float, float)
NONDET(double, double)
NONDET(void *, pointer)
NONDET(char *, pchar)
NONDET(long long, loff_t)
NONDET(unsigned long, pthread_t)
NONDET(unsigned long, sector_t)

/* A _Bool that is neither 0 nor 1 has no meaning in C, so the byte is not copied into one. */
INTERFACE _Bool __VERIFIER_nondet_bool(void) {
  unsigned char value;
  take(&value, sizeof value, "__VERIFIER_nondet_bool");
  if (value > 1) leave(SECATEUR_EXIT_CUT);
  return value != 0;
}

INTERFACE const char *__VERIFIER_nondet_string(void) {
  return (const char *)next_object("__VERIFIER_nondet_string")->bytes;
}

INTERFACE void __VERIFIER_nondet_memory(void *address, size_t size) {
  take(address, size, "__VERIFIER_nondet_memory");
}

INTERFACE void __VERIFIER_assume(int condition) {
  if (condition == 0) leave(SECATEUR_EXIT_CUT);
}

INTERFACE void reach_error(void) { fail("reach_error"); }
INTERFACE void __VERIFIER_error(void) { fail("reach_error"); }

INTERFACE void __VERIFIER_atomic_begin(void) {}
INTERFACE void __VERIFIER_atomic_end(void) {}

/* --- The trace ----------------------------------------------------------------------------- */

static struct {
  bool opened;
  uint64_t branches;
  uint64_t blocks;
  struct secateur_trace *file; /* NULL if no trace is wanted */
} trace;

static _Noreturn void no_trace(const char *path) {
  fprintf(stderr, "secateur: cannot write the trace %s: %s\n", path, strerror(errno));
  leave(SECATEUR_EXIT_NO_TRACE);
}

static uint64_t number_in_environment(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? 0 : strtoull(text, NULL, 10);
}

/* Opened at the first event and not in a constructor, because constructors of the program may run
 * before ours. The program's errno is kept: it must not see that it is watched. */
static __attribute__((noinline)) void open_trace(void) {
  trace.opened = true;
  const char *path = getenv("SECATEUR_TRACE");
  if (path == NULL) return;
  int saved_errno = errno;
  uint64_t branches = number_in_environment("SECATEUR_BRANCHES");
  uint64_t blocks = number_in_environment("SECATEUR_BLOCKS");
  size_t size = sizeof(struct secateur_trace) + branches * sizeof(uint64_t) + blocks;
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) no_trace(path);
  /* Space is reserved now: a write to a mapped file on a full disk would be a signal. */
  int error = posix_fallocate(file, 0, (off_t)size);
  if (error != 0) {
    errno = error;
    no_trace(path);
  }
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) no_trace(path);
  close(file);
  trace.branches = branches;
  trace.blocks = blocks;
  trace.file = memory;
  trace.file->magic = SECATEUR_TRACE_MAGIC;
  trace.file->version = SECATEUR_TRACE_VERSION;
  trace.file->block_count = blocks;
  errno = saved_errno;
}

UNCHECKED static inline uint64_t mix(uint64_t hash, uint32_t number, uint32_t outcome) {
  uint64_t branch = (((uint64_t)number << 32) | outcome) + 1;
  hash = (hash ^ branch) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ (hash >> 32);
}

UNCHECKED void __secateur_branch(uint32_t number, uint32_t outcome) {
  if (!trace.opened) open_trace();
  struct secateur_trace *file = trace.file;
  if (file == NULL) return;
  uint64_t index = file->count++;
  file->hash = mix(file->hash, number, outcome);
  if (index < SECATEUR_TRACE_LOG) {
    file->log[index / 8] |= (uint8_t)((outcome & 1) << (index % 8));
    file->numbers[index] = number;
    file->log_length = index + 1;
  }
  if (number < trace.branches) {
    uint64_t *outcomes = (uint64_t *)(file + 1);
    outcomes[number] |= UINT64_C(1) << (outcome < 63 ? outcome : 63);
  }
}

UNCHECKED void __secateur_block(uint32_t number) {
  if (!trace.opened) open_trace();
  if (trace.file == NULL || number >= trace.blocks) return;
  uint8_t *blocks = (uint8_t *)((uint64_t *)(trace.file + 1) + trace.branches);
  blocks[number] = 1;
}

void __secateur_unreachable(void) { fail("unreachable code reached"); }

void __secateur_assume(uint32_t holds) {
  if (!holds) fail("unreachable code reached: a promise made to the compiler is broken");
}

/* --- Memory that was never written --------------------------------------------------------- */

/* The machine takes fresh memory for zeros, or tries values for it, which are objects of the test
 * named "fresh:NUMBER+OFFSET:variable". MemorySanitizer is there to find out that the program reads
 * such memory, so there it stays as it is. */
struct fresh_value {
  uint64_t number;
  uint64_t offset;
  const struct object *object;
};

static struct {
  bool loaded;
  uint32_t count;
  struct fresh_value *values; /* in the order of their numbers */
} fresh;

static int by_number(const void *a, const void *b) {
  uint64_t x = ((const struct fresh_value *)a)->number, y = ((const struct fresh_value *)b)->number;
  return (x > y) - (x < y);
}

static void load_fresh(void) {
  fresh.loaded = true;
  if (getenv("SECATEUR_TEST") == NULL) return;
  if (!test.loaded) load_test();
  for (uint32_t i = 0; i < test.count; i++) {
    unsigned long long number, offset;
    if (sscanf(test.objects[i].name, "fresh:%llu+%llu:", &number, &offset) != 2) continue;
    if (fresh.values == NULL) fresh.values = allocate(test.count, sizeof *fresh.values);
    fresh.values[fresh.count++] = (struct fresh_value){number, offset, &test.objects[i]};
  }
  if (fresh.count > 0) qsort(fresh.values, fresh.count, sizeof *fresh.values, by_number);
}

UNCHECKED static void fill(volatile unsigned char *address, uint64_t length, const unsigned char *bytes) {
  for (uint64_t i = 0; i < length; i++) address[i] = bytes == NULL ? 0 : bytes[i];
}

UNCHECKED void __secateur_fresh(void *address, uint64_t size, uint64_t count) {
  static uint64_t number;
  if (address == NULL) return;
  number++;
  int saved_errno = errno;
  if (!fresh.loaded) load_fresh();
  uint32_t first = 0, end = fresh.count;
  while (first < end) {
    uint32_t middle = first + (end - first) / 2;
    if (fresh.values[middle].number < number)
      first = middle + 1;
    else
      end = middle;
  }
  for (; first < fresh.count && fresh.values[first].number == number; first++) {
    const struct fresh_value *value = &fresh.values[first];
    if (value->offset > size * count || value->object->size > size * count - value->offset)
      misfit("`%s` does not fit the memory that the program has made", value->object->name);
    fill((unsigned char *)address + value->offset, value->object->size, value->object->bytes);
  }
  errno = saved_errno;
}

UNCHECKED void __secateur_fresh_stack(void *address, uint64_t size, uint64_t count) {
#if !__has_feature(memory_sanitizer)
  fill(address, size * count, NULL);
#endif
  __secateur_fresh(address, size, count);
}

/* --- What sanitizers change ---------------------------------------------------------------- */

/* The C library's own qsort. A sanitizer puts another before it, which first calls the program's
 * comparison on all neighbours: branches that nobody predicted. */
void __secateur_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *));
  *(void **)&sort = dlsym(RTLD_NEXT, "qsort");
  sort(base, count, size, compare);
}

/* Called when main returns. Leak detection takes for a pointer whatever looks like one on the
 * stack, and so misses leaks whose pointer is left over from a call that is long gone. */
__attribute__((noinline)) UNCHECKED void __secateur_forget_frames(void) {
  volatile char old_frames[1 << 16];
  for (size_t i = 0; i < sizeof old_frames; i++) old_frames[i] = 0;
}
