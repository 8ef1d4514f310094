/* fnmatch in the C locale, with GNU's patterns in parentheses, as in glibc. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* The number of glibc's header. */
enum { EXTENDED = 1 << 5 };

/* Where a text is being matched. A period counts as leading at the start, and behind a slash. */
struct place {
  const char *at;
  int leading, flags;
};

static int fold(char c, int flags) { return flags & FNM_CASEFOLD ? tolower((unsigned char)c) : (unsigned char)c; }

static int is_leading_period(struct place place) {
  return *place.at == '.' && place.leading && (place.flags & FNM_PERIOD);
}

static struct place next(struct place place) {
  place.leading = *place.at == '/' && (place.flags & FNM_PATHNAME);
  place.at++;
  return place;
}

/* --- Brackets -------------------------------------------------------------------------------- */

enum bracket { LITERAL = -2, NEVER = -1, OTHER = 0, FOUND = 1 };

/* A class such as [:alpha:], whose name begins at *pattern; LITERAL if it has another form. */
static enum bracket match_class(const char **pattern, struct place place) {
  static const struct {
    const char *name;
    int (*contains)(int);
  } classes[] = {{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
                 {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
                 {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit}};
  const char *name = *pattern, *end = name;
  while (*end >= 'a' && *end < 'z') end++;
  if (end[0] != ':' || end[1] != ']') return LITERAL;
  *pattern = end + 2;
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strlen(classes[i].name) == (size_t)(end - name) && !strncmp(classes[i].name, name, (size_t)(end - name)))
      return classes[i].contains((unsigned char)*place.at) ? FOUND : OTHER;
  return NEVER;
}

/* Reads a character of a range: itself, escaped, or as a collating symbol. */
static int read_character(const char **pattern, int flags, unsigned char *c) {
  const char *s = *pattern;
  if (*s == '\\' && !(flags & FNM_NOESCAPE)) {
    if (!*++s) return 0;
  } else if (s[0] == '[' && s[1] == '.') {
    if (!s[2] || s[3] != '.' || s[4] != ']') return 0;
    *c = (unsigned char)fold(s[2], flags);
    *pattern = s + 5;
    return 1;
  }
  *c = (unsigned char)fold(*s, flags);
  *pattern = s + 1;
  return 1;
}

/* The pattern is behind the opening bracket; afterwards it is behind the closing one. */
static enum bracket match_bracket(const char **pattern, struct place place) {
  const char *s = *pattern;
  int flags = place.flags, negated = *s == '!' || *s == '^', found = 0;
  unsigned char text = (unsigned char)fold(*place.at, flags);
  if (negated) s++;
  for (int first = 1; first || *s != ']'; first = 0) {
    if (!*s) return LITERAL;
    if (s[0] == '[' && s[1] == ':') {
      const char *name = s + 2;
      enum bracket result = match_class(&name, place);
      if (result == NEVER) return NEVER;
      if (result != LITERAL) {
        found |= result == FOUND;
        s = name;
        continue;
      }
    } else if (s[0] == '[' && s[1] == '=' && s[2]) {
      if (s[3] == '=' && s[4] == ']') {
        found |= (unsigned char)s[2] == (unsigned char)*place.at;
        s += 5;
        continue;
      }
    }
    unsigned char low, high;
    int is_symbol = s[0] == '[' && s[1] == '.';
    if (!read_character(&s, flags, &low)) return NEVER;
    high = low;
    if (s[0] == '-' && s[1] && s[1] != ']') {
      s++;
      is_symbol = 0;
      if (!read_character(&s, flags, &high)) return NEVER;
    }
    /* A symbol by itself keeps its case. */
    if (is_symbol) found |= low == (unsigned char)*place.at;
    else found |= text >= low && text <= high;
  }
  *pattern = s + 1;
  return found != negated ? FOUND : OTHER;
}

/* --- Patterns -------------------------------------------------------------------------------- */

/* Where a pattern in parentheses, or one of its alternatives, ends: at `|` if wanted, or behind the closing one. */
static const char *skip_group(const char *s, int stop_at_bar) {
  for (int depth = 0; *s; s++) {
    if (*s == '[') {
      const char *end = s + 1;
      if (*end == '!' || *end == '^') end++;
      if (*end == ']') end++;
      while (*end && *end != ']') end++;
      if (!*end) return 0;
      s = end;
    } else if (strchr("?*+@!", *s) && s[1] == '(') {
      depth++;
      s++;
    } else if (*s == ')' && depth-- == 0) {
      return s;
    } else if (*s == '|' && depth == 0 && stop_at_bar) {
      return s;
    }
  }
  return 0;
}

static int matches(const char *pattern, struct place place, const char *end);

/* Whether one alternative matches all of the text up to the end. */
static int matches_alternative(const char *from, const char *to, struct place place, const char *end) {
  char *alternative = strndup(from, (size_t)(to - from));
  if (!alternative) return 0;
  int result = matches(alternative, place, end);
  free(alternative);
  return result;
}

static int matches_any(const char *first, const char *close, struct place place, const char *end) {
  for (const char *from = first;;) {
    const char *to = skip_group(from, 1);
    if (matches_alternative(from, to, place, end)) return 1;
    if (to == close) return 0;
    from = to + 1;
  }
}

static struct place move(struct place place, const char *to) {
  while (place.at < to) place = next(place);
  return place;
}

/* A group at the place, then the rest of the pattern. */
static int matches_group(char kind, const char *first, const char *close, struct place place, const char *end) {
  const char *rest = close + 1;
  if ((kind == '?' || kind == '*') && matches(rest, place, end)) return 1;
  if (kind == '!') {
    for (const char *to = place.at; to <= end; to++)
      if (!matches_any(first, close, place, to) && matches(rest, move(place, to), end)) return 1;
    return 0;
  }
  for (const char *to = place.at; to <= end; to++) {
    if (!matches_any(first, close, place, to)) continue;
    if (matches(rest, move(place, to), end)) return 1;
    if ((kind == '*' || kind == '+') && to != place.at && matches_group('*', first, close, move(place, to), end)) return 1;
  }
  return 0;
}

/* Behind an asterisk, question marks take characters, and groups that may be empty are passed over; NULL if the text is
 * too short. */
static const char *skip_wildcards(const char *pattern, struct place *place, const char *end) {
  for (; *pattern == '*' || *pattern == '?'; pattern++) {
    const char *close = (place->flags & EXTENDED) && pattern[1] == '(' ? skip_group(pattern + 2, 0) : 0;
    if (close) {
      pattern = close;
    } else if (*pattern == '?') {
      if (place->at == end || (*place->at == '/' && (place->flags & FNM_PATHNAME))) return 0;
      *place = next(*place);
    }
  }
  return pattern;
}

/* Whether the pattern matches the text from the place to the end. */
static int matches(const char *pattern, struct place place, const char *end) {
  int flags = place.flags;
  for (; *pattern; place = next(place)) {
    char c = *pattern++;
    if ((flags & EXTENDED) && strchr("?*+@!", c) && *pattern == '(') {
      const char *close = skip_group(pattern + 1, 0);
      if (close) return matches_group(c, pattern + 1, close, place, end);
    }
    int is_end = place.at == end, is_slash = !is_end && *place.at == '/' && (flags & FNM_PATHNAME);
    if (c == '*') {
      if (is_leading_period(place)) return 0;
      pattern = skip_wildcards(pattern, &place, end);
      if (!pattern) return 0;
      if (*pattern == '/' && (flags & FNM_PATHNAME)) {
        while (place.at != end && *place.at != '/') place = next(place);
        return matches(pattern, place, end);
      }
      /* What follows begins before the end, even if it could be empty. */
      for (; place.at != end && !(*place.at == '/' && (flags & FNM_PATHNAME)); place = next(place)) {
        if (*pattern && matches(pattern, place, end)) return 1;
        if (is_leading_period(place)) return 0;
      }
      return !*pattern && (place.at == end || (flags & FNM_LEADING_DIR));
    }
    if (is_end) return 0;
    if (c == '?') {
      if (is_slash || is_leading_period(place)) return 0;
      continue;
    }
    if (c == '[') {
      if (is_leading_period(place) || is_slash) return 0;
      enum bracket result = match_bracket(&pattern, place);
      if (result == NEVER || result == OTHER) return 0;
      if (result == FOUND) continue;
    } else if (c == '\\' && !(flags & FNM_NOESCAPE)) {
      c = *pattern;
      if (!c) return 0;
      pattern++;
    }
    if (fold(c, flags) != fold(*place.at, flags)) return 0;
  }
  return place.at == end || ((flags & FNM_LEADING_DIR) && *place.at == '/');
}

REPLACEABLE int fnmatch(const char *pattern, const char *text, int flags) {
  struct place start = {text, 1, flags};
  return matches(pattern, start, text + strlen(text)) ? 0 : FNM_NOMATCH;
}
