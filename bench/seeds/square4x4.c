/* The same with four numbers in a row; the numbers must differ only within each row. */
#define SIDE 4
#include "square.h"
