// Folders are not modelled.
//! unsupported: opening the file `.`
#include <dirent.h>

int main(void) { return opendir(".") == 0; }
