// A connection in the manner of TCP: 17 states, driven for ever by segments, timers and calls of the user. The flags of what
// was sent and received, the timer and the number of unanswered segments must fit the state.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! endless: yes
//! small: -DROUNDS=3
#include "verifier.h"

enum state {
  CLOSED, BOUND, LISTEN, RESOLVING, SYN_SENT, SYN_RECEIVED, SIMULTANEOUS_OPEN, ESTABLISHED, PERSIST, FIN_WAIT_1, FIN_WAIT_2,
  CLOSE_WAIT, CLOSING, LAST_ACK, TIME_WAIT, RESETTING, BACK_OFF
};

enum event {
  USER_BIND, USER_LISTEN, USER_CONNECT, USER_SEND, USER_CLOSE, USER_ABORT, ADDRESS_FOUND, SEGMENT, TIMER
};

/* The flags of a segment. */
enum { SYN = 1, ACK = 2, FIN = 4, RST = 8, ZERO_WINDOW = 16 };

enum { MOST_RETRIES = 3, MOST_UNANSWERED = 4 };

static enum state state = CLOSED;
static int sent_syn, received_syn, sent_fin, received_fin;
static int timer_runs;
static unsigned retries, unanswered;

static void forget(void) {
  sent_syn = received_syn = sent_fin = received_fin = 0;
  timer_runs = 0;
  retries = unanswered = 0;
}

static void start_timer(void) {
  timer_runs = 1;
  retries = 0;
}

static void stop_timer(void) { timer_runs = 0; }

static void send_syn(void) {
  assert(!sent_syn);
  sent_syn = 1;
  start_timer();
}

static void send_fin(void) {
  assert(sent_syn && received_syn);
  assert(!sent_fin);
  sent_fin = 1;
  start_timer();
}

static void receive_fin(void) {
  assert(received_syn);
  assert(!received_fin); //~ BUG assertion
  received_fin = 1;
}

static void reset(void) {
  forget();
  state = RESETTING;
}

/* Data was acknowledged. */
static void answered(void) {
  unanswered = 0;
  if (!sent_fin)
    stop_timer();
}

static void send_data(void) {
  if (unanswered >= MOST_UNANSWERED)
    return;
  unanswered++;
  start_timer();
}

static void on_segment(unsigned flags) {
  if (flags & RST) {
    if (state != CLOSED && state != BOUND && state != LISTEN && state != RESOLVING && state != BACK_OFF)
      reset();
    return;
  }
  switch (state) {
  case CLOSED:
  case BOUND:
  case RESOLVING:
  case RESETTING:
  case BACK_OFF:
    break;
  case LISTEN:
    if ((flags & SYN) && !(flags & ACK)) {
      received_syn = 1;
      send_syn();
      state = SYN_RECEIVED;
    }
    break;
  case SYN_SENT:
    if ((flags & SYN) && (flags & ACK)) {
      received_syn = 1;
      stop_timer();
      state = ESTABLISHED;
    } else if (flags & SYN) {
      received_syn = 1;
      state = SIMULTANEOUS_OPEN;
    }
    break;
  case SYN_RECEIVED:
  case SIMULTANEOUS_OPEN:
    if (flags & ACK) {
      stop_timer();
      state = ESTABLISHED;
      if (flags & FIN) {
        receive_fin();
        state = CLOSE_WAIT;
      }
    }
    break;
  case ESTABLISHED:
  case PERSIST:
    if (flags & ACK)
      answered();
    if (flags & FIN) {
      receive_fin();
      state = CLOSE_WAIT;
    } else if (flags & ZERO_WINDOW) {
      start_timer();
      state = PERSIST;
    } else if (state == PERSIST) {
      if (unanswered == 0)
        stop_timer();
      state = ESTABLISHED;
    }
    break;
  case FIN_WAIT_1:
    if ((flags & FIN) && (flags & ACK)) {
      receive_fin();
      unanswered = 0;
      start_timer();
      state = TIME_WAIT;
    } else if (flags & FIN) {
      receive_fin();
      state = CLOSING;
    } else if (flags & ACK) {
      unanswered = 0;
      stop_timer();
      state = FIN_WAIT_2;
    }
    break;
  case FIN_WAIT_2:
    if (flags & FIN) {
      receive_fin();
      start_timer();
      state = TIME_WAIT;
    }
    break;
  case CLOSE_WAIT:
    if (flags & ACK)
      answered();
    break;
  case CLOSING:
    if (flags & ACK) {
      unanswered = 0;
      start_timer();
      state = TIME_WAIT;
    }
    break;
  case LAST_ACK:
    if (flags & ACK) {
      forget();
      state = CLOSED;
    }
    break;
  case TIME_WAIT:
#ifdef BUG
    /* The other side sends its FIN again if our answer was lost; it must not count twice. */
    if (flags & FIN)
      receive_fin();
#endif
    start_timer();
    break;
  }
}

static void on_timer(void) {
  if (!timer_runs)
    return;
  switch (state) {
  case TIME_WAIT:
    forget();
    state = CLOSED;
    break;
  case BACK_OFF:
    timer_runs = 0;
    state = CLOSED;
    break;
  case PERSIST:
    start_timer();
    break;
  default:
    if (retries < MOST_RETRIES) {
      retries++;
    } else if (state == SYN_SENT) {
      forget();
      timer_runs = 1;
      state = BACK_OFF;
    } else {
      reset();
    }
  }
}

static void on_event(enum event event) {
  switch (event) {
  case USER_BIND:
    if (state == CLOSED)
      state = BOUND;
    break;
  case USER_LISTEN:
    if (state == BOUND)
      state = LISTEN;
    break;
  case USER_CONNECT:
    if (state == CLOSED || state == BOUND)
      state = RESOLVING;
    break;
  case ADDRESS_FOUND:
    if (state == RESOLVING) {
      send_syn();
      state = SYN_SENT;
    }
    break;
  case USER_SEND:
    if (state == ESTABLISHED || state == CLOSE_WAIT)
      send_data();
    break;
  case USER_CLOSE:
    switch (state) {
    case BOUND:
    case LISTEN:
    case RESOLVING:
      state = CLOSED;
      break;
    case SYN_SENT:
      forget();
      state = CLOSED;
      break;
    case SYN_RECEIVED:
    case ESTABLISHED:
    case PERSIST:
      send_fin();
      state = FIN_WAIT_1;
      break;
    case CLOSE_WAIT:
      send_fin();
      state = LAST_ACK;
      break;
    default:
      break;
    }
    break;
  case USER_ABORT:
    if (state == RESETTING)
      state = CLOSED;
    else if (state != CLOSED && state != BACK_OFF)
      reset();
    break;
  case SEGMENT:
    on_segment(below_or(31));
    break;
  case TIMER:
    on_timer();
    break;
  }
}

static void check(void) {
  assert(retries <= MOST_RETRIES);
  assert(unanswered <= MOST_UNANSWERED);
  switch (state) {
  case CLOSED:
  case BOUND:
  case LISTEN:
  case RESOLVING:
  case RESETTING:
    assert(!sent_syn && !sent_fin && !received_fin && unanswered == 0);
    assert(!timer_runs);
    break;
  case BACK_OFF:
    assert(timer_runs && !sent_syn);
    break;
  case SYN_SENT:
    assert(sent_syn && !received_syn && timer_runs);
    break;
  case SYN_RECEIVED:
  case SIMULTANEOUS_OPEN:
    assert(sent_syn && received_syn && timer_runs && !sent_fin);
    break;
  case ESTABLISHED:
    assert(sent_syn && received_syn && !sent_fin && !received_fin);
    assert(timer_runs || unanswered == 0);
    break;
  case PERSIST:
    assert(timer_runs && !sent_fin && !received_fin);
    break;
  case FIN_WAIT_1:
    assert(sent_fin && !received_fin && timer_runs);
    break;
  case FIN_WAIT_2:
    assert(sent_fin && !received_fin && unanswered == 0);
    break;
  case CLOSE_WAIT:
    assert(!sent_fin && received_fin);
    break;
  case CLOSING:
  case TIME_WAIT:
    assert(sent_fin && received_fin && timer_runs);
    break;
  case LAST_ACK:
    assert(sent_fin && received_fin && timer_runs);
    break;
  }
}

int main(void) {
  FOREVER {
    on_event((enum event)below_or(TIMER));
    check();
  }
  return 0;
}
