/* Obstacks: the functions behind the macros of glibc's <obstack.h>. Objects grow in chunks; freeing one frees all
 * that were allocated after it. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <features.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The layout is that of the header. */
struct chunk {
  char *limit;
  struct chunk *previous;
  char content[];
};

struct obstack {
  long chunk_size;
  struct chunk *chunk;
  char *object_base;
  char *next_free;
  char *chunk_limit;
  union {
    ptrdiff_t i;
    void *p;
  } temp;
  int alignment_mask;
  union {
    void *(*plain)(size_t);
    void *(*extra)(void *, size_t);
  } allocate;
  union {
    void (*plain)(void *);
    void (*extra)(void *, void *);
  } release;
  void *extra_argument;
  /* In the header, three bits. */
  unsigned flags;
};

enum { EXTRA_ARGUMENT = 1, MAYBE_EMPTY = 2 };

enum { DEFAULT_ALIGNMENT = 16, DEFAULT_SIZE = 4064 };

static void fail(void) {
  fprintf(stderr, "memory exhausted\n");
  exit(EXIT_FAILURE);
}

void (*obstack_alloc_failed_handler)(void) = fail;

static void *allocate(struct obstack *o, size_t size) {
  return o->flags & EXTRA_ARGUMENT ? o->allocate.extra(o->extra_argument, size) : o->allocate.plain(size);
}

static void release(struct obstack *o, void *chunk) {
  if (o->flags & EXTRA_ARGUMENT)
    o->release.extra(o->extra_argument, chunk);
  else
    o->release.plain(chunk);
}

/* An address of a chunk, moved up to a multiple of the alignment. */
static char *aligned(struct obstack *o, char *start, char *address) {
  size_t offset = (size_t)(address - start);
  size_t mask = (size_t)o->alignment_mask, wanted = (offset + mask) & ~mask;
  return start + wanted;
}

static int begin(struct obstack *o, int size, int alignment) {
  if (alignment == 0) alignment = DEFAULT_ALIGNMENT;
  o->chunk_size = size == 0 ? DEFAULT_SIZE : size;
  o->alignment_mask = alignment - 1;
  struct chunk *chunk = o->chunk = allocate(o, (size_t)o->chunk_size);
  if (!chunk) obstack_alloc_failed_handler();
  chunk->previous = 0;
  chunk->limit = o->chunk_limit = (char *)chunk + o->chunk_size;
  o->next_free = o->object_base = aligned(o, (char *)chunk, chunk->content);
  return 1;
}

REPLACEABLE int _obstack_begin(struct obstack *o, int size, int alignment, void *(*allocate_chunk)(size_t),
                               void (*free_chunk)(void *)) {
  o->allocate.plain = allocate_chunk;
  o->release.plain = free_chunk;
  o->flags = 0;
  return begin(o, size, alignment);
}

REPLACEABLE int _obstack_begin_1(struct obstack *o, int size, int alignment,
                                 void *(*allocate_chunk)(void *, size_t), void (*free_chunk)(void *, void *),
                                 void *argument) {
  o->allocate.extra = allocate_chunk;
  o->release.extra = free_chunk;
  o->extra_argument = argument;
  o->flags = EXTRA_ARGUMENT;
  return begin(o, size, alignment);
}

/* Moves the growing object to a new chunk with room for `length` more bytes. */
REPLACEABLE void _obstack_newchunk(struct obstack *o, int length) {
  struct chunk *old = o->chunk;
  size_t size = (size_t)(o->next_free - o->object_base);
  size_t needed = size + (size_t)length + (size_t)o->alignment_mask + (size >> 3) + 100;
  if (needed < (size_t)o->chunk_size) needed = (size_t)o->chunk_size;
  struct chunk *chunk = allocate(o, needed);
  if (!chunk) obstack_alloc_failed_handler();
  o->chunk = chunk;
  chunk->previous = old;
  chunk->limit = o->chunk_limit = (char *)chunk + needed;
  char *base = aligned(o, (char *)chunk, chunk->content);
  memcpy(base, o->object_base, size);
  /* A chunk that held nothing else is no longer needed. */
  if (!(o->flags & MAYBE_EMPTY) && o->object_base == aligned(o, (char *)old, old->content)) {
    chunk->previous = old->previous;
    release(o, old);
  }
  o->object_base = base;
  o->next_free = base + size;
  o->flags &= ~(unsigned)MAYBE_EMPTY;
}

static int is_in(struct chunk *chunk, char *object) { return (char *)chunk < object && object <= chunk->limit; }

REPLACEABLE int _obstack_allocated_p(struct obstack *o, void *object) {
  struct chunk *chunk = o->chunk;
  while (chunk && !is_in(chunk, object)) chunk = chunk->previous;
  return chunk != 0;
}

REPLACEABLE void obstack_free(struct obstack *o, void *object) {
  struct chunk *chunk = o->chunk;
  while (chunk && !is_in(chunk, object)) {
    struct chunk *previous = chunk->previous;
    release(o, chunk);
    chunk = previous;
    /* Which object a chunk started with is unknown now. */
    o->flags |= MAYBE_EMPTY;
  }
  if (chunk) {
    o->object_base = o->next_free = object;
    o->chunk_limit = chunk->limit;
    o->chunk = chunk;
  } else if (object) {
    abort();
  }
}

weak_alias(obstack_free, __obstack_free);
weak_alias(obstack_free, _obstack_free);

REPLACEABLE int _obstack_memory_used(struct obstack *o) {
  long used = 0;
  for (struct chunk *chunk = o->chunk; chunk; chunk = chunk->previous) used += chunk->limit - (char *)chunk;
  return (int)used;
}

REPLACEABLE int obstack_vprintf(struct obstack *o, const char *restrict format, va_list arguments) {
  char *text;
  int length = vasprintf(&text, format, arguments);
  if (length < 0) return -1;
  if ((size_t)(o->chunk_limit - o->next_free) < (size_t)length) _obstack_newchunk(o, length);
  memcpy(o->next_free, text, (size_t)length);
  o->next_free += length;
  free(text);
  return length;
}

REPLACEABLE int obstack_printf(struct obstack *o, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = obstack_vprintf(o, format, arguments);
  va_end(arguments);
  return length;
}
