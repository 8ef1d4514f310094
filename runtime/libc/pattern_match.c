/* Finds the longest match of an automaton at a place, and what its groups have matched. The end is found by following
 * all ways at once; the groups by trying one way after the other, in the order of preference, up to that end. */
#include "pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FOUND = 0, NONE = REG_NOMATCH, NO_MEMORY = REG_ESPACE };

/* --- Assertions ----------------------------------------------------------------------------- */

static int is_word(const struct pattern *pattern, const struct subject *subject, size_t at) {
  if (at >= subject->length) return 0;
  unsigned char byte = pattern->mapped[subject->text[at]];
  return isalnum(byte) || byte == '_';
}

static int holds(const struct pattern *pattern, const struct subject *subject, int assertion, size_t at) {
  int before = at > 0 && is_word(pattern, subject, at - 1), after = is_word(pattern, subject, at);
  switch ((enum assertion)assertion) {
    case TEXT_START: return at == 0;
    case TEXT_END: return at == subject->length;
    case WORD_START: return !before && after;
    case WORD_END: return before && !after;
    case WORD_EDGE: return before != after;
    case NO_WORD_EDGE: return before == after;
    case LINE_START:
      return at == 0 ? !subject->no_line_start : subject->newline_ends_line && subject->text[at - 1] == '\n';
    case LINE_END:
      return at == subject->length ? !subject->no_line_end : subject->newline_ends_line && subject->text[at] == '\n';
  }
  return 0;
}

/* --- The end -------------------------------------------------------------------------------- */

/* The nodes that wait for a byte at one place. */
struct front {
  int count;
  int *nodes;
};

/* Adds the nodes that are reached without a byte. `seen` says at which place a node was reached last, plus one. */
static int reach(const struct pattern *pattern, const struct subject *subject, struct front *front, size_t *seen,
                 int *stack, int first, size_t at) {
  int matched = 0, count = 0;
  if (seen[first] == at + 1) return 0;
  seen[first] = at + 1;
  stack[count++] = first;
  while (count > 0) {
    int number = stack[--count];
    const struct node *node = &pattern->nodes[number];
    if (node->kind == MATCHED) matched = 1;
    else if (node->kind == ONE_OF) front->nodes[front->count++] = number;
    else if (node->kind != ASSERTION || holds(pattern, subject, node->number, at)) {
      if (node->kind == EITHER && seen[node->other] != at + 1) {
        seen[node->other] = at + 1;
        stack[count++] = node->other;
      }
      if (seen[node->next] != at + 1) {
        seen[node->next] = at + 1;
        stack[count++] = node->next;
      }
    }
  }
  return matched;
}

static int find_end(const struct pattern *pattern, const struct subject *subject, size_t start, size_t *end) {
  size_t count = (size_t)pattern->node_count;
  size_t *seen = calloc(count, sizeof *seen);
  int *memory = malloc(3 * count * sizeof *memory), result = NONE;
  if (seen == NULL || memory == NULL) {
    free(seen);
    free(memory);
    return NO_MEMORY;
  }
  const struct byte_set *sets = sets_of(pattern);
  struct front now = {0, memory}, then = {0, memory + count};
  int *stack = memory + 2 * count, first = pattern->first;
  for (size_t at = start;; at++) {
    int matched = at == start && reach(pattern, subject, &now, seen, stack, first, at);
    if (matched) {
      *end = at;
      result = FOUND;
    }
    if (now.count == 0 || at >= subject->stop) break;
    unsigned char byte = subject->text[at];
    then.count = 0;
    for (int i = 0; i < now.count; i++) {
      const struct node *node = &pattern->nodes[now.nodes[i]];
      if (!sets[node->number].has[byte]) continue;
      if (reach(pattern, subject, &then, seen, stack, node->next, at + 1)) {
        *end = at + 1;
        result = FOUND;
      }
    }
    struct front other = now;
    now = then;
    then = other;
  }
  free(seen);
  free(memory);
  return result;
}

/* --- The groups ----------------------------------------------------------------------------- */

/* A way that was not taken. */
struct choice {
  int node;
  size_t at;
  size_t changes;
};

/* An entry of `values` before it was changed. */
struct change {
  size_t index;
  regoff_t old;
};

struct attempt {
  const struct pattern *pattern;
  const struct subject *subject;
  /* Starts and ends of the groups; the same when a group that is not empty ended last; and for each node where it was
   * passed last. */
  regoff_t *values;
  size_t groups;
  struct change *changes;
  size_t change_count, change_room;
  struct choice *choices;
  size_t choice_count, choice_room;
  unsigned char *tried; /* bits for nodes and places from which there is no way; null if references decide that */
  size_t start, limit;
  int no_memory;
};

static int grow(void **array, size_t count, size_t *room, size_t size) {
  if (count < *room) return 1;
  size_t wanted = *room == 0 ? 64 : 2 * *room;
  void *grown = realloc(*array, wanted * size);
  if (grown == NULL) return 0;
  *array = grown;
  *room = wanted;
  return 1;
}

static void set(struct attempt *attempt, size_t index, regoff_t value) {
  if (attempt->values[index] == value) return;
  if (!grow((void **)&attempt->changes, attempt->change_count, &attempt->change_room, sizeof *attempt->changes)) {
    attempt->no_memory = 1;
    return;
  }
  attempt->changes[attempt->change_count++] = (struct change){index, attempt->values[index]};
  attempt->values[index] = value;
}

static void copy_groups(struct attempt *attempt, size_t to, size_t from) {
  for (size_t i = 0; i < 2 * attempt->groups; i++) set(attempt, to + i, attempt->values[from + i]);
}

static void end_group(struct attempt *attempt, size_t group, regoff_t at) {
  size_t kept = 2 * attempt->groups;
  const unsigned char *optional = attempt->pattern->optional;
  int is_optional = group < 8 * sizeof attempt->pattern->optional && (optional[group / 8] >> group % 8 & 1);
  if (attempt->values[2 * group] < at) {
    set(attempt, 2 * group + 1, at);
    copy_groups(attempt, kept, 0);
  } else if (is_optional && attempt->values[kept + 2 * group] != -1) {
    /* An empty repetition after another one does not count. */
    copy_groups(attempt, 0, kept);
  } else {
    set(attempt, 2 * group + 1, at);
  }
}

static void choose_later(struct attempt *attempt, int node, size_t at) {
  if (!grow((void **)&attempt->choices, attempt->choice_count, &attempt->choice_room, sizeof *attempt->choices)) {
    attempt->no_memory = 1;
    return;
  }
  attempt->choices[attempt->choice_count++] = (struct choice){node, at, attempt->change_count};
}

/* Goes back to the way that was left out last; 0 if there is none. */
static int go_back(struct attempt *attempt, int *node, size_t *at) {
  if (attempt->choice_count == 0) return 0;
  struct choice choice = attempt->choices[--attempt->choice_count];
  while (attempt->change_count > choice.changes) {
    struct change change = attempt->changes[--attempt->change_count];
    attempt->values[change.index] = change.old;
  }
  *node = choice.node;
  *at = choice.at;
  return 1;
}

/* Whether a node was tried at a place before; it is from now on. */
static int was_tried(struct attempt *attempt, int node, size_t at) {
  if (attempt->tried == NULL) return 0;
  size_t bit = (at - attempt->start) * (size_t)attempt->pattern->node_count + (size_t)node;
  int before = attempt->tried[bit / 8] >> bit % 8 & 1;
  attempt->tried[bit / 8] |= 1 << bit % 8;
  return before;
}

/* What a group has matched, at `*at`; moves behind it. */
static int same_again(const struct attempt *attempt, size_t group, size_t *at) {
  regoff_t from = attempt->values[2 * group], to = attempt->values[2 * group + 1];
  if (from < 0 || to < 0) return 0;
  const struct subject *subject = attempt->subject;
  const unsigned char *mapped = attempt->pattern->mapped;
  size_t length = (size_t)(to - from);
  if (length > subject->stop - *at) return 0;
  for (size_t i = 0; i < length; i++)
    if (mapped[subject->text[(size_t)from + i]] != mapped[subject->text[*at + i]]) return 0;
  *at += length;
  return 1;
}

/* Goes on from a node up to the end of a match; 0 if this way leads nowhere. */
static int follow(struct attempt *attempt, int number, size_t *at) {
  const struct pattern *pattern = attempt->pattern;
  size_t passed = 4 * attempt->groups;
  for (;;) {
    if (attempt->no_memory) return 0;
    const struct node *node = &pattern->nodes[number];
    int next = node->next;
    switch (node->kind) {
      case MATCHED: return 1;
      case ONE_OF:
        if (*at >= attempt->limit) return 0;
        if (!sets_of(pattern)[node->number].has[attempt->subject->text[*at]]) return 0;
        ++*at;
        break;
      case ASSERTION:
        if (!holds(pattern, attempt->subject, node->number, *at)) return 0;
        break;
      case SAME_AGAIN:
        if (!same_again(attempt, (size_t)node->number, at)) return 0;
        break;
      case GROUP_START:
        set(attempt, 2 * (size_t)node->number, (regoff_t)*at);
        set(attempt, 2 * (size_t)node->number + 1, -1);
        break;
      case GROUP_END: end_group(attempt, (size_t)node->number, (regoff_t)*at); break;
      case EITHER:
        /* A repetition that has matched nothing is the last one. */
        if (attempt->values[passed + (size_t)number] == (regoff_t)*at) {
          next = node->other;
        } else {
          if (was_tried(attempt, number, *at)) return 0;
          choose_later(attempt, node->other, *at);
          set(attempt, passed + (size_t)number, (regoff_t)*at);
        }
        break;
    }
    number = next;
  }
}

/* Finds the groups of the match that ends at `*end`, or of the longest one if `is_known` is 0. */
static int find_groups(const struct pattern *pattern, const struct subject *subject, size_t start, size_t *end,
                       int is_known, regmatch_t *found, size_t count) {
  size_t groups = pattern->groups, nodes = (size_t)pattern->node_count;
  struct attempt attempt = {.pattern = pattern, .subject = subject, .groups = groups, .start = start,
                            .limit = is_known ? *end : subject->stop};
  size_t values = 4 * groups + nodes;
  attempt.values = malloc(values * sizeof *attempt.values);
  if (is_known) attempt.tried = calloc((*end - start + 1) * nodes / 8 + 1, 1);
  attempt.no_memory = attempt.values == NULL || (is_known && attempt.tried == NULL);
  int result = NONE;
  if (!attempt.no_memory) {
    for (size_t i = 0; i < values; i++) attempt.values[i] = -1;
    int node = pattern->first;
    size_t at = start;
    do {
      if (!follow(&attempt, node, &at)) continue;
      if (is_known ? at != *end : result == FOUND && at <= *end) continue;
      *end = at;
      result = FOUND;
      for (size_t i = 1; i < count && i <= groups; i++) {
        regoff_t from = attempt.values[2 * i - 2], to = attempt.values[2 * i - 1];
        found[i] = to < 0 ? (regmatch_t){-1, -1} : (regmatch_t){from, to};
      }
      if (is_known || at == subject->stop) break;
    } while (go_back(&attempt, &node, &at));
  }
  free(attempt.values);
  free(attempt.tried);
  free(attempt.changes);
  free(attempt.choices);
  return attempt.no_memory ? NO_MEMORY : result;
}

int __secateur_pattern_match(const struct pattern *pattern, const struct subject *subject, size_t start,
                             regmatch_t *found, size_t count) {
  size_t end = start;
  for (size_t i = 0; i < count; i++) found[i] = (regmatch_t){-1, -1};
  if (!pattern->may_be_empty && (start >= subject->stop || !pattern->starts.has[subject->text[start]])) return NONE;
  int is_known = !pattern->has_references, result = FOUND;
  if (is_known) result = find_end(pattern, subject, start, &end);
  if (result == FOUND && (!is_known || (count > 1 && pattern->groups > 0)))
    result = find_groups(pattern, subject, start, &end, is_known, found, count);
  if (result == FOUND && count > 0) found[0] = (regmatch_t){(regoff_t)start, (regoff_t)end};
  return result;
}
