// What is not in the folder of the test may be there or not: nothing is pretended.
//! unsupported: opening the file `/dev/null`
#include <fcntl.h>

int main(void) { return open("/dev/null", O_RDONLY) < 0; }
