/* What expat's configure script finds out. The harness sets the salt of its hash tables, so no randomness is needed. */
#define BYTEORDER 1234
#define HAVE_MEMMOVE 1
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
#define XML_GE 1
#define XML_POOR_ENTROPY 1
