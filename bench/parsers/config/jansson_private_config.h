/* What jansson's configure script finds out, for itself. */
#define HAVE_STDINT_H 1
#define HAVE_STRTOLL 1
#define HAVE_SNPRINTF 1
#define INITIAL_HASHTABLE_ORDER 3
