// <argz.h> and <envz.h>.
#include <argz.h>
#include <envz.h>
#include <stdio.h>
#include <stdlib.h>

static char *list;
static size_t length;

static void show(const char *what, int result) {
  printf("%s: %d,", what, result);
  for (char *text = 0; (text = argz_next(list, length, text));) printf(" [%s]", text);
  printf(" %zu in %zu\n", argz_count(list, length), length);
}

int main(void) {
  char *texts[] = {"one", "", "three", 0}, *extracted[20];
  show("create", argz_create(texts, &list, &length));
  show("add", argz_add(&list, &length, "four"));
  show("add_sep", argz_add_sep(&list, &length, ":five::six:", ':'));
  show("append", argz_append(&list, &length, "x\0y", 4));
  show("insert", argz_insert(&list, &length, list + 6, "in"));
  show("insert at the end", argz_insert(&list, &length, 0, "last"));
  show("insert elsewhere", argz_insert(&list, &length, list + length, "no"));
  unsigned count = 1;
  show("replace", argz_replace(&list, &length, "i", "(i)", &count));
  show("replace nothing", argz_replace(&list, &length, "q", "Q", &count));
  printf("%u\n", count);
  argz_delete(&list, &length, list);
  show("delete", 0);
  argz_extract(list, length, extracted);
  for (int i = 0; extracted[i]; i++) printf("%d %s\n", i, extracted[i]);
  argz_stringify(list, length, '|');
  printf("%s\n", list);
  free(list);
  show("create_sep", argz_create_sep("a=1,b,,c=3", ',', &list, &length));
  printf("%s %s %s\n", envz_get(list, length, "a"), envz_get(list, length, "b") ? "value" : "none",
         envz_entry(list, length, "c"));
  show("envz_add", envz_add(&list, &length, "a", "new"));
  show("envz_add without value", envz_add(&list, &length, "d", 0));
  show("envz_merge", envz_merge(&list, &length, "a=2\0z=9", 8, 0));
  show("envz_merge over", envz_merge(&list, &length, "a=2\0z=8", 8, 1));
  envz_remove(&list, &length, "c");
  envz_strip(&list, &length);
  show("strip", 0);
  free(list);
  return argz_create_sep("", ',', &list, &length);
}
