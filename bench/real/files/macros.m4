define(`twice', `$1$1')dnl
twice(`ab') eval(2 ** 10) len(`hello')
