/* What getopt remembers between calls; argp scans with a state of its own. */
#ifndef SECATEUR_GETOPT_STATE_H
#define SECATEUR_GETOPT_STATE_H

/* What happens to an operand in front of an option. */
enum order { STOP, MOVE_BEHIND, RETURN };

/* The operands seen so far are those from `first_operand` to before `operands_end`; `rest` is what is left of an
 * argument with several short options; `option` is the last one that was refused. */
extern struct getopt_state {
  int started;
  enum order order;
  char *rest;
  int first_operand, operands_end;
  int option;
} __secateur_getopt_state;

#endif
