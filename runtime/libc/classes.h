/* The bits that glibc's functions for classes of characters answer with; programs may look at them. */
#ifndef SECATEUR_CLASSES_H
#define SECATEUR_CLASSES_H

enum { BLANK = 1, CNTRL = 2, PUNCT = 4, ALNUM = 8, UPPER = 0x100, LOWER = 0x200, ALPHA = 0x400, DIGIT = 0x800,
       XDIGIT = 0x1000, SPACE = 0x2000, PRINT = 0x4000, GRAPH = 0x8000 };

/* Without branches, so that classifying a symbolic character makes no path. */
#define IN(c, first, last) ((unsigned)(c) - (first) <= (last) - (first))
#define IS_UPPER(c) IN(c, 'A', 'Z')
#define IS_LOWER(c) IN(c, 'a', 'z')
#define IS_ALPHA(c) IN((unsigned)(c) | 32, 'a', 'z')
#define IS_DIGIT(c) IN(c, '0', '9')
#define IS_ALNUM(c) (IS_ALPHA(c) | IS_DIGIT(c))
#define IS_GRAPH(c) IN(c, '!', '~')
#define IS_PRINT(c) IN(c, ' ', '~')
#define IS_PUNCT(c) (IS_GRAPH(c) & !IS_ALNUM(c))
#define IS_SPACE(c) (((c) == ' ') | IN(c, '\t', '\r'))
#define IS_BLANK(c) (((c) == ' ') | ((c) == '\t'))
#define IS_CNTRL(c) (((unsigned)(c) < 32) | ((c) == 127))
#define IS_XDIGIT(c) (IS_DIGIT(c) | IN((unsigned)(c) | 32, 'a', 'f'))

#endif
