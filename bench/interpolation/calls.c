// Calls in loops: an account is changed through a pointer by functions that call each other; each keeps its invariant.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DN=4
#include "verifier.h"

#ifndef N
#define N 25
#endif

enum { LIMIT = 100, FEE = 1 };

struct account {
  int balance;
  int blocked;
  int payments;
};

static int can_pay(const struct account *account, int amount) {
#ifdef BUG
  return !account->blocked && account->balance >= amount;
#else
  return !account->blocked && account->balance >= amount + FEE;
#endif
}

static void pay(struct account *account, int amount) {
  account->balance -= amount + FEE;
  account->payments++;
  assert(account->balance >= 0); //~ BUG assertion
}

static void deposit(struct account *account, int amount) {
  if (account->balance <= LIMIT - amount)
    account->balance += amount;
  else
    account->blocked = 1;
}

static void process(struct account *account, int order, int amount) {
  switch (order) {
  case 0:
    deposit(account, amount);
    break;
  case 1:
    if (can_pay(account, amount))
      pay(account, amount);
    break;
  default:
    account->blocked = !account->blocked;
  }
}

int main(void) {
  struct account account = {0, 0, 0};
  for (int i = 0; i < N; i++) {
    int order = (int)below_or(2);
    int amount = flag() ? 10 : 25;
    process(&account, order, amount);
    assert(account.balance <= LIMIT);
  }
  assert(account.payments <= N);
  return 0;
}
