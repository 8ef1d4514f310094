// What is just before a null pointer is read: still a null pointer.
//! args: --entry previous
int previous(const char *text) {
  if (!text)
    return text[-1]; //~ BUG null-pointer
  return 0;
}
