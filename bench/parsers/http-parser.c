/* http-parser: a request or a response; the address of a request is split into its parts. */
#include <stddef.h>
#include <stdint.h>

#include "http_parser.h"

static int on_event(http_parser *parser) {
  return http_should_keep_alive(parser) < 0;
}

static int on_data(http_parser *parser, const char *at, size_t length) {
  return parser == NULL || at == NULL || length == 0;
}

static int on_url(http_parser *parser, const char *at, size_t length) {
  struct http_parser_url url;
  http_parser_url_init(&url);
  http_parser_parse_url(at, length, parser->method == HTTP_CONNECT, &url);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  http_parser_settings settings;
  http_parser_settings_init(&settings);
  settings.on_message_begin = on_event;
  settings.on_url = on_url;
  settings.on_status = on_data;
  settings.on_header_field = on_data;
  settings.on_header_value = on_data;
  settings.on_headers_complete = on_event;
  settings.on_body = on_data;
  settings.on_message_complete = on_event;
  settings.on_chunk_header = on_event;
  settings.on_chunk_complete = on_event;
  http_parser parser;
  http_parser_init(&parser, HTTP_BOTH);
  size_t parsed = http_parser_execute(&parser, &settings, (const char *)data, size);
  if (parsed == size)
    http_parser_execute(&parser, &settings, NULL, 0);
  return 0;
}
