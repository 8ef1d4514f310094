/* Whether nine numbers make a magic square: each from 1 to 9 once, and all rows, columns and diagonals with the same sum. */
#define SIDE 3
#include "square.h"
