// The handshake of a server in the manner of SSH: 22 states, driven for ever by messages of the client and by results of
// cryptography that are input. No service may start before authentication, and keys change only together.
//! verdict: VERIFIED
//! verdict[BUG]: BUG reach-error
//! endless: yes
//! small: -DROUNDS=13
#include "verifier.h"

enum state {
  ACCEPTED, VERSION_SENT, VERSION_RECEIVED, KEXINIT_SENT, KEXINIT_RECEIVED, GROUP_REQUESTED, GROUP_SENT, DH_INIT_RECEIVED,
  SIGNING, DH_REPLY_SENT, NEWKEYS_SENT, NEWKEYS_RECEIVED, SERVICE_WAIT, AUTH_WAIT, AUTH_PUBKEY_QUERY, AUTH_PUBKEY_VERIFY,
  AUTH_PASSWORD, AUTH_FAILED, AUTHENTICATED, CHANNEL_OPEN, REKEY_SENT, DISCONNECTED
};

enum message {
  M_VERSION, M_KEXINIT, M_GROUP_REQUEST, M_DH_INIT, M_NEWKEYS, M_SERVICE_REQUEST, M_AUTH_REQUEST, M_CHANNEL_OPEN, M_DATA,
  M_DISCONNECT, M_NONE
};

enum { NO_KEY, OLD_KEY, NEW_KEY };
enum { MOST_ATTEMPTS = 3 };

static enum state state = ACCEPTED;
static int sending_key = NO_KEY, receiving_key = NO_KEY;
static int host_key_checked, authenticated, rekeying, group_exchange;
static unsigned attempts, channels;

static void disconnect(void) {
  state = DISCONNECTED;
  sending_key = receiving_key = NO_KEY;
  host_key_checked = authenticated = rekeying = group_exchange = 0;
  attempts = channels = 0;
}

/* Where the protocol goes on once keys are exchanged. */
static void resume(void) {
  sending_key = receiving_key = OLD_KEY;
  if (rekeying) {
    rekeying = 0;
    state = channels > 0 ? CHANNEL_OPEN : AUTHENTICATED;
  } else {
    state = SERVICE_WAIT;
  }
}

static void begin_key_exchange(void) {
  host_key_checked = 0;
  group_exchange = 0;
  state = rekeying ? REKEY_SENT : KEXINIT_SENT;
}

static void fail_authentication(void) {
  attempts++;
  if (attempts >= MOST_ATTEMPTS)
    disconnect();
  else
    state = AUTH_FAILED;
}

static void grant(void) {
  authenticated = 1;
  attempts = 0;
  state = AUTHENTICATED;
}

static void authenticate(void) {
  switch (below_or(3)) {
  case 0:
    fail_authentication();
    break;
  case 1:
    state = AUTH_PUBKEY_QUERY;
    break;
  case 2:
    state = AUTH_PUBKEY_VERIFY;
    break;
  default:
    state = AUTH_PASSWORD;
  }
}

/* States in which the server goes on without a message. Returns whether it did. */
static int proceed(void) {
  switch (state) {
  case ACCEPTED:
    state = VERSION_SENT;
    return 1;
  case VERSION_RECEIVED:
    begin_key_exchange();
    return 1;
  case GROUP_REQUESTED:
    if (flag()) {
      group_exchange = 1;
      state = GROUP_SENT;
    } else {
      disconnect();
    }
    return 1;
  case DH_INIT_RECEIVED:
    if (flag())
      state = SIGNING;
    else
      disconnect();
    return 1;
  case SIGNING:
    host_key_checked = 1;
    state = DH_REPLY_SENT;
    return 1;
  case DH_REPLY_SENT:
    sending_key = NEW_KEY;
    state = NEWKEYS_SENT;
    return 1;
  case NEWKEYS_RECEIVED:
    resume();
    return 1;
  case AUTH_PUBKEY_QUERY:
    state = flag() ? AUTH_WAIT : AUTH_FAILED;
    return 1;
  case AUTH_PUBKEY_VERIFY:
  case AUTH_PASSWORD:
    if (flag())
      grant();
    else
      fail_authentication();
    return 1;
  case AUTH_FAILED:
    state = AUTH_WAIT;
    return 1;
  case DISCONNECTED:
    state = ACCEPTED;
    return 1;
  default:
    return 0;
  }
}

static void receive(enum message message) {
  if (message == M_DISCONNECT) {
    disconnect();
    return;
  }
  switch (state) {
  case VERSION_SENT:
    if (message == M_VERSION)
      state = VERSION_RECEIVED;
    else
      disconnect();
    break;
  case KEXINIT_SENT:
  case REKEY_SENT:
    if (message == M_KEXINIT)
      state = KEXINIT_RECEIVED;
    else if (!rekeying || message != M_DATA)
      disconnect();
    break;
  case KEXINIT_RECEIVED:
    if (message == M_GROUP_REQUEST && !group_exchange)
      state = GROUP_REQUESTED;
    else if (message == M_DH_INIT && !group_exchange)
      state = DH_INIT_RECEIVED;
    else
      disconnect();
    break;
  case GROUP_SENT:
    if (message == M_DH_INIT)
      state = DH_INIT_RECEIVED;
    else
      disconnect();
    break;
  case NEWKEYS_SENT:
    if (message == M_NEWKEYS) {
      receiving_key = NEW_KEY;
      state = NEWKEYS_RECEIVED;
    } else {
      disconnect();
    }
    break;
  case SERVICE_WAIT:
    if (message == M_SERVICE_REQUEST)
      state = AUTH_WAIT;
#ifdef BUG
    /* A channel without authentication. */
    else if (message == M_CHANNEL_OPEN) {
      channels = 1;
      state = CHANNEL_OPEN;
    }
#endif
    else
      disconnect();
    break;
  case AUTH_WAIT:
    if (message == M_AUTH_REQUEST)
      authenticate();
    else
      disconnect();
    break;
  case AUTHENTICATED:
  case CHANNEL_OPEN:
    if (message == M_CHANNEL_OPEN) {
      if (channels < 2)
        channels++;
      state = CHANNEL_OPEN;
    } else if (message == M_KEXINIT) {
      rekeying = 1;
      begin_key_exchange();
      state = KEXINIT_RECEIVED;
    } else if (message == M_NONE) {
      rekeying = 1;
      begin_key_exchange();
    }
    break;
  default:
    break;
  }
}

static void check(void) {
  if (state == CHANNEL_OPEN && !authenticated)
    reach_error(); //~ BUG reach-error
  if (state == AUTHENTICATED && !(authenticated && receiving_key == OLD_KEY))
    reach_error();
  if (state >= NEWKEYS_SENT && state < SERVICE_WAIT && !host_key_checked)
    reach_error();
  if (state >= SERVICE_WAIT && state <= CHANNEL_OPEN && sending_key != receiving_key)
    reach_error();
  if (state >= SERVICE_WAIT && state <= CHANNEL_OPEN && sending_key != OLD_KEY)
    reach_error();
  if (receiving_key == NEW_KEY && sending_key != NEW_KEY)
    reach_error();
  if (authenticated && state >= SERVICE_WAIT && state <= AUTH_FAILED)
    reach_error();
  if (rekeying && !authenticated)
    reach_error();
  if (attempts >= MOST_ATTEMPTS || channels > 2)
    reach_error();
}

int main(void) {
  FOREVER {
    if (!proceed())
      receive((enum message)below_or(M_NONE));
    check();
  }
  return 0;
}
