/* The names of temporary files: the same ones in every run, so that native runs agree. */
char *__randname(char *template);

char *__randname(char *template) {
  static unsigned number;
  unsigned rest = number++;
  for (int i = 5; i >= 0; i--, rest /= 26) template[i] = (char)('a' + rest % 26);
  return template;
}
