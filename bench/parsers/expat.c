/* expat: a document in one piece, with handlers for elements, text and comments. */
#include <stddef.h>
#include <stdint.h>

#include "expat.h"

static void XMLCALL on_start(void *count, const XML_Char *name, const XML_Char **attributes) {
  (void)name;
  (void)attributes;
  ++*(unsigned *)count;
}

static void XMLCALL on_end(void *count, const XML_Char *name) {
  (void)name;
  ++*(unsigned *)count;
}

static void XMLCALL on_text(void *count, const XML_Char *text, int length) {
  (void)text;
  *(unsigned *)count += (unsigned)length;
}

static void XMLCALL on_comment(void *count, const XML_Char *text) {
  (void)text;
  ++*(unsigned *)count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned count = 0;
  XML_Parser parser = XML_ParserCreate(NULL);
  if (parser == NULL)
    return 0;
  XML_SetHashSalt(parser, 1);
  XML_SetUserData(parser, &count);
  XML_SetElementHandler(parser, on_start, on_end);
  XML_SetCharacterDataHandler(parser, on_text);
  XML_SetCommentHandler(parser, on_comment);
  XML_Parse(parser, (const char *)data, (int)size, 1);
  XML_ParserFree(parser);
  return 0;
}
