/* Linked into the natively compiled program so that it can be run on one test case.
 *
 * The caller leaves two descriptors open (replay.h has their numbers): a test (a .ktest
 * file) and a file for the trace, which also holds the request to the run. Both are mapped and
 * closed before any code of the program runs, so the program finds the descriptors and the
 * environment that the test describes and nothing else. The functions through which a harness asks for
 * input hand out the objects of the test in order, so a program that asks for another object than the
 * one that comes next has left the predicted path, which is reported at
 * once. The trace is mapped and shared, so it is complete however the program ends. */
#define _GNU_SOURCE
#include "replay.h"

#include "../include/klee/klee.h"
#include "../include/svcomp.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Programs may define any function of the interface themselves. */
#define INTERFACE __attribute__((weak))

/* The trace is written on every branch; checks of our own code would only slow it down, and must
 * not report that a branch depends on uninitialised memory before the program itself does. */
#define UNCHECKED __attribute__((no_sanitize("address", "memory", "undefined")))

/* --- Ends ---------------------------------------------------------------------------------- */

/* Exit handlers belong to the program's normal end; here the path ends at once. */
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

/* --- What the program was started with ------------------------------------------------------- */

static struct {
  const unsigned char *test; /* NULL if there is none */
  size_t test_size;
  struct secateur_trace *trace; /* NULL if no trace is wanted */
  uint64_t *outcomes;
  uint8_t *blocks;
} given;

/* Each sanitizer's initialisation and the functions that set its report file; a build has some or none. */
__attribute__((weak)) void __asan_init(void);
__attribute__((weak)) void __msan_init(void);
__attribute__((weak)) void __sanitizer_set_report_path(const char *path);
__attribute__((weak)) void __asan_poison_memory_region(void const volatile *address, size_t size);

/* What is in front of the program's variables, if before.c is linked. */
extern __attribute__((weak)) char __secateur_before_data[], __secateur_before_bss[];
extern __attribute__((weak)) const char __secateur_before_rodata[], __secateur_before_relro[];

static _Noreturn void no_trace(const char *why) {
  fprintf(stderr, "secateur: cannot write the trace: %s\n", why);
  leave(SECATEUR_EXIT_NO_TRACE);
}

/* Maps the file of a descriptor and closes it; NULL if there is no such descriptor. */
static void *take_file(int descriptor, int protection, int flags, size_t *size) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return NULL;
  *size = (size_t)status.st_size;
  void *memory = *size == 0 ? MAP_FAILED : mmap(NULL, *size, protection, flags, descriptor, 0);
  close(descriptor);
  return memory == MAP_FAILED ? NULL : memory;
}

static void take_trace(void) {
  size_t size = 0;
  struct secateur_trace *trace =
      take_file(SECATEUR_TRACE_DESCRIPTOR, PROT_READ | PROT_WRITE, MAP_SHARED, &size);
  if (trace == NULL) return;
  if (size < sizeof *trace || trace->magic != SECATEUR_TRACE_MAGIC || trace->version != SECATEUR_TRACE_VERSION)
    no_trace("it has another layout");
  size_t tables = size - sizeof *trace;
  if (trace->branch_count > tables / sizeof(uint64_t) ||
      trace->block_count > tables - trace->branch_count * sizeof(uint64_t))
    no_trace("it is too short");
  given.outcomes = (uint64_t *)(trace + 1);
  given.blocks = (uint8_t *)(given.outcomes + trace->branch_count);
  given.trace = trace;
}

static void set_report_path(void) {
  if (__sanitizer_set_report_path != NULL && given.trace != NULL && given.trace->report[0] != 0)
    __sanitizer_set_report_path(given.trace->report);
}

static void guard_globals(void) {
  const char *const before[] = {__secateur_before_data, __secateur_before_bss, __secateur_before_rodata,
                                __secateur_before_relro};
  if (__asan_poison_memory_region == NULL) return;
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    if (before[i] != NULL) __asan_poison_memory_region(before[i], SECATEUR_BEFORE);
}

/* Runs before all constructors, also those of libraries. The sanitizer comes first: its initialisation
 * would undo what is set here, and may restart the program. No checks may run before it, since their
 * data does not exist yet. */
__attribute__((disable_sanitizer_instrumentation)) static void start(void) {
  int saved_errno = errno;
  if (__asan_init != NULL) __asan_init();
  if (__msan_init != NULL) __msan_init();
  given.test = take_file(SECATEUR_TEST_DESCRIPTOR, PROT_READ, MAP_PRIVATE, &given.test_size);
  take_trace();
  set_report_path();
  guard_globals();
  errno = saved_errno;
}

__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = start;

/* The checker of undefined behaviour may start later than we do, if it is alone. */
__attribute__((constructor(101))) static void set_report_path_again(void) { set_report_path(); }

/* Options are compiled in, since the program could see them in the environment. Reports go to a file,
 * so that the program's own output cannot be mistaken for one. A program may abort or execute an
 * illegal instruction on purpose, so both are left to the system. Fresh heap memory is zero, as in
 * the engine. */
#define COMMON_OPTIONS "symbolize=0:exitcode=86:halt_on_error=1"
#define KEEP_SIGNALS "handle_abort=0:handle_sigill=0:allocator_may_return_null=1"

UNCHECKED const char *__asan_default_options(void) {
  return COMMON_OPTIONS ":" KEEP_SIGNALS
      ":detect_leaks=1:detect_stack_use_after_return=1:detect_odr_violation=0:redzone=256"
      ":max_malloc_fill_size=1073741824:malloc_fill_byte=0";
}

UNCHECKED const char *__msan_default_options(void) { return COMMON_OPTIONS ":" KEEP_SIGNALS; }
UNCHECKED const char *__lsan_default_options(void) { return COMMON_OPTIONS; }
UNCHECKED const char *__ubsan_default_options(void) { return COMMON_OPTIONS; }

/* Not every leak is predicted. */
UNCHECKED int __lsan_is_turned_off(void) { return given.trace == NULL || !given.trace->find_leaks; }

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

/* The part of the test that was not read yet. */
struct reader {
  const unsigned char *next;
  size_t left;
};

static const unsigned char *read_raw(struct reader *reader, size_t length) {
  if (length > reader->left) misfit("the test is cut short");
  const unsigned char *bytes = reader->next;
  reader->next += length;
  reader->left -= length;
  return bytes;
}

static uint32_t read_u32(struct reader *reader) {
  const unsigned char *bytes = read_raw(reader, 4);
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads a length and as many bytes; what is returned is followed by a 0. */
static unsigned char *read_bytes(struct reader *reader, uint32_t *length) {
  *length = read_u32(reader);
  const unsigned char *from = read_raw(reader, *length);
  unsigned char *bytes = allocate((size_t)*length + 1, 1);
  memcpy(bytes, from, *length);
  return bytes;
}

/* The layout is that of KLEE's version 3: "KTEST", the version, the command line, two fields about
 * symbolic arguments, then the objects; all integers are big-endian. */
static void load_test(void) {
  test.loaded = true;
  if (given.test == NULL) misfit("the program was started without a test");
  struct reader reader = {given.test, given.test_size};
  if (memcmp(read_raw(&reader, 5), "KTEST", 5) != 0) misfit("the test is not a .ktest file");
  uint32_t version = read_u32(&reader);
  if (version != 3) misfit("the test has version %u of the format, not 3", (unsigned)version);
  uint32_t argument_count = read_u32(&reader);
  for (uint32_t i = 0; i < argument_count; i++) read_raw(&reader, read_u32(&reader));
  read_u32(&reader);
  read_u32(&reader);

  test.count = read_u32(&reader);
  /* Each object takes at least the eight bytes of its two lengths. */
  if (test.count > reader.left / 8) misfit("the test is cut short");
  test.objects = allocate((size_t)test.count + 1, sizeof *test.objects);
  for (uint32_t i = 0; i < test.count; i++) {
    uint32_t length;
    test.objects[i].name = (char *)read_bytes(&reader, &length);
    test.objects[i].bytes = read_bytes(&reader, &test.objects[i].size);
  }
}

/* The program may define its own strlen, whose branches are not part of the prediction here. */
static size_t length_of(const char *text) {
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

static bool ends_with(const char *text, const char *end) {
  size_t text_length = length_of(text), end_length = length_of(end);
  return text_length >= end_length && strcmp(text + text_length - end_length, end) == 0;
}

/* Whether the object describes the program's environment (arguments, standard input, files),
 * which are set up before the program starts and which it does not ask for by name. */
static bool is_surroundings(const char *name) {
  if (strcmp(name, "model_version") == 0 || strcmp(name, "n_args") == 0) return true;
  if (strncmp(name, "arg", 3) == 0 && name[3] != 0) return strspn(name + 3, "0123456789") == length_of(name + 3);
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

/* Old harnesses pass no name; their calls come here, since the third argument would be undefined. */
void __secateur_make_unnamed(void *address, size_t size);
void __secateur_make_unnamed(void *address, size_t size) { take(address, size, NULL); }

/* The data of a libFuzzer harness, `size` bytes on the heap. */
void *__secateur_data(size_t size, size_t most) {
  (void)most;
  void *data = malloc(size);
  if (data == NULL) misfit("not enough memory for it");
  take(data, size, "data");
  return data;
}

/* No path continues after it, so no test depends on the result. */
INTERFACE void klee_define_fixed_object(void *address, size_t size) { (void)address, (void)size; }

INTERFACE int klee_int(const char *name) {
  int value;
  take(&value, sizeof value, name);
  return value;
}

INTERFACE int klee_range(int begin, int end, const char *name) {
  if (begin >= end) fail("report_error: klee_range was called with an empty range");
  int value = klee_int(name);
  if (value < begin || value >= end) leave(SECATEUR_EXIT_ASSUMED);
  return value;
}

INTERFACE uintptr_t klee_choose(uintptr_t count) {
  if (count == 0) leave(SECATEUR_EXIT_ASSUMED);
  uintptr_t value;
  take(&value, sizeof value, "klee_choose");
  if (value >= count) leave(SECATEUR_EXIT_ASSUMED);
  return value;
}

INTERFACE void klee_assume(uintptr_t condition) {
  if (condition == 0) leave(SECATEUR_EXIT_ASSUMED);
}

INTERFACE void klee_silent_exit(int status) {
  (void)status;
  leave(SECATEUR_EXIT_ASSUMED);
}

INTERFACE void klee_abort(void) { abort(); }

INTERFACE void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  fflush(stdout);
  fprintf(stderr, "secateur: report_error %s:%d: %s (%s)\n", file, line, message, suffix);
  abort();
}

/* The test holds the machine's answer. */
INTERFACE unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  unsigned char answer;
  take(&answer, sizeof answer, "klee_is_symbolic");
  return answer;
}

INTERFACE unsigned klee_is_replay(void) { return 1; }

/* Only AddressSanitizer knows the bounds of all objects. */
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

/* Reading each byte makes the sanitizer or the processor report an invalid one. */
INTERFACE void klee_check_memory_access(const void *address, size_t size) {
  for (size_t i = 0; i < size; i++) (void)((const volatile char *)address)[i];
}

/* During exploration these write nothing that the program could see, so neither do they here. */
INTERFACE void klee_warning(const char *message) { (void)message; }
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
  if (value > 1) leave(SECATEUR_EXIT_ASSUMED);
  return value != 0;
}

INTERFACE const char *__VERIFIER_nondet_string(void) {
  return (const char *)next_object("__VERIFIER_nondet_string")->bytes;
}

INTERFACE void __VERIFIER_nondet_memory(void *address, size_t size) {
  take(address, size, "__VERIFIER_nondet_memory");
}

INTERFACE void __VERIFIER_assume(int condition) {
  if (condition == 0) leave(SECATEUR_EXIT_ASSUMED);
}

INTERFACE void reach_error(void) { fail("reach_error"); }
INTERFACE void __VERIFIER_error(void) { fail("reach_error"); }

INTERFACE void __VERIFIER_atomic_begin(void) {}
INTERFACE void __VERIFIER_atomic_end(void) {}

/* --- The trace ----------------------------------------------------------------------------- */

UNCHECKED static inline uint64_t mix(uint64_t hash, uint32_t number, uint32_t outcome) {
  uint64_t branch = (((uint64_t)number << 32) | outcome) + 1;
  hash = (hash ^ branch) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ (hash >> 32);
}

UNCHECKED void __secateur_branch(uint32_t number, uint32_t outcome) {
  struct secateur_trace *trace = given.trace;
  if (trace == NULL) return;
  uint64_t index = trace->count++;
  trace->hash = mix(trace->hash, number, outcome);
  if (index < SECATEUR_TRACE_LOG) {
    trace->log[index / 8] |= (uint8_t)((outcome & 1) << (index % 8));
    trace->numbers[index] = number;
    trace->log_length = index + 1;
  }
  if (number < trace->branch_count) given.outcomes[number] |= UINT64_C(1) << (outcome < 63 ? outcome : 63);
}

UNCHECKED void __secateur_block(uint32_t number) {
  if (given.trace != NULL && number < given.trace->block_count) given.blocks[number] = 1;
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
  if (given.test == NULL) return;
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

UNCHECKED void __secateur_forget_local(void *address, uint64_t size, uint64_t count) { fill(address, size * count, NULL); }

/* --- What sanitizers change ---------------------------------------------------------------- */

/* The C library's own qsort. A sanitizer puts another before it, which first calls the program's
 * comparison on all neighbours: branches that were not predicted. */
void __secateur_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *));
  *(void **)&sort = dlsym(RTLD_NEXT, "qsort");
  sort(base, count, size, compare);
}

/* A sanitizer refuses sizes that are no multiple of the alignment, as C11 did; the C library does not. */
void *__secateur_aligned_alloc(size_t alignment, size_t size) {
  void *memory = NULL;
  if (alignment < sizeof(void *)) alignment = sizeof(void *);
  int failed = posix_memalign(&memory, alignment, size);
  if (failed == 0) return memory;
  errno = failed;
  return NULL;
}

/* The system puts all arguments and the environment into one piece of memory, in which a program
 * that reads behind the end of one reads the next. Copies have bounds that the sanitizer knows. */
static char *bounded(char *text) {
  size_t size = length_of(text) + 1;
  char *copy = allocate(size, 1);
  fill((unsigned char *)copy, size, (const unsigned char *)text);
  return copy;
}

void __secateur_arguments(int count, char **list) {
  extern char **environ;
  /* Leak detection must find them here. */
  static char **kept;
  int saved_errno = errno;
  size_t total = count < 0 ? 0 : (size_t)count;
  for (char **variable = environ; variable != NULL && *variable != NULL; variable++) total++;
  kept = allocate(total + 1, sizeof *kept);
  size_t next = 0;
  for (int i = 0; i < count; i++) kept[next++] = list[i] = bounded(list[i]);
  for (char **variable = environ; variable != NULL && *variable != NULL; variable++)
    kept[next++] = *variable = bounded(*variable);
  errno = saved_errno;
}

/* Called when main returns. Leak detection takes for a pointer whatever looks like one on the
 * stack, and so misses leaks whose pointer is left over from an earlier call. */
__attribute__((noinline)) UNCHECKED void __secateur_forget_frames(void) {
  volatile char old_frames[1 << 16];
  for (size_t i = 0; i < sizeof old_frames; i++) old_frames[i] = 0;
}
