/* Marks functions that a program may define itself although it uses others of the same file. */
#ifndef SECATEUR_REPLACEABLE_H
#define SECATEUR_REPLACEABLE_H

#define REPLACEABLE __attribute__((__weak__))

#endif
