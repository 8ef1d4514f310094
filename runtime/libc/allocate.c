/* The names under which the C library calls the allocator, which is part of the machine. */
#include <stdlib.h>

hidden void *__libc_malloc(size_t size) { return malloc(size); }
hidden void *__libc_malloc_impl(size_t size) { return malloc(size); }
hidden void *__libc_calloc(size_t count, size_t size) { return calloc(count, size); }
hidden void *__libc_realloc(void *memory, size_t size) { return realloc(memory, size); }
hidden void __libc_free(void *memory) { free(memory); }
