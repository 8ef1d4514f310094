/* md4c: Markdown to HTML, with all extensions. */
#include <stddef.h>
#include <stdint.h>

#include "md4c-html.h"

static void on_output(const MD_CHAR *text, MD_SIZE size, void *length) {
  (void)text;
  *(size_t *)length += size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t length = 0;
  unsigned extensions = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEAUTOLINKS |
                        MD_FLAG_LATEXMATHSPANS | MD_FLAG_WIKILINKS | MD_FLAG_UNDERLINE;
  md_html((const MD_CHAR *)data, (MD_SIZE)size, on_output, &length, extensions, 0);
  return 0;
}
