/* A model of the kernel around a driver, in the manner of NT: request packets with a stack location per driver, completion
 * routines, pending requests, spin locks that raise the interrupt level, events, and a lower driver whose answers are
 * input. It asserts the rules that every driver must keep:
 *   - a request is completed exactly once, with a final status, and not touched afterwards;
 *   - a dispatch routine returns `PENDING` exactly if the request was marked as pending;
 *   - a spin lock is not taken twice, is released by its holder, and is not held across calls of the lower driver;
 *   - nothing waits at raised interrupt level, or for an event that nobody will set.
 * A driver includes this after `verifier.h`; its dispatch routine is run by `send_request`. */
#ifndef KERNEL_H
#define KERNEL_H

#include "../verifier.h"
#include <stddef.h>

typedef int status;

enum {
  SUCCESS = 0,
  PENDING = 0x103,
  UNSUCCESSFUL = -1,
  NOT_SUPPORTED = -2,
  INVALID_PARAMETER = -3,
  BUFFER_TOO_SMALL = -4,
  NOT_READY = -5,
  CANCELLED = -6,
  NO_MEDIA = -7,
  VERIFY_REQUIRED = -8,
  DELETE_PENDING = -9,
  IO_ERROR = -10,
  WRITE_PROTECTED = -11,
  SHARING_VIOLATION = -12,
  DEVICE_REMOVED = -13,
  /* What a completion routine returns to take the request back. */
  MORE_PROCESSING = -100,
};

enum level { PASSIVE, APC, DISPATCH };

static enum level level = PASSIVE;

struct spin_lock {
  int held;
  enum level before;
};

static inline void acquire(struct spin_lock *lock) {
  assert(!lock->held);
  assert(level <= DISPATCH);
  lock->held = 1;
  lock->before = level;
  level = DISPATCH;
}

static inline void release(struct spin_lock *lock) {
  assert(lock->held);
  assert(level == DISPATCH);
  lock->held = 0;
  level = lock->before;
}

struct event {
  int is_set;
};

static inline void clear_event(struct event *event) { event->is_set = 0; }
static inline void set_event(struct event *event) { event->is_set = 1; }

struct irp;
struct device;

typedef status (*completion_routine)(struct device *device, struct irp *irp, void *context);

/* What one driver of the stack is asked for. */
struct stack_location {
  int major;
  int minor;
  unsigned code;
  unsigned length;
  completion_routine completion;
  void *context;
};

enum irp_state { FREE, WITH_DRIVER, WITH_LOWER, COMPLETED };

struct irp {
  enum irp_state state;
  status status;
  unsigned information;
  int marked_pending;
  int cancelled;
  struct stack_location own;
  struct stack_location lower;
  struct irp *next;
};

/* Requests that the lower driver has not completed yet. */
enum { MOST_AT_LOWER = 2 };
static struct irp *at_lower[MOST_AT_LOWER];

/* The device that the completion routines of this driver are called with. */
static struct device *completion_device;

static inline void mark_pending(struct irp *irp) {
  assert(irp->state == WITH_DRIVER);
  irp->marked_pending = 1;
}

static inline status complete(struct irp *irp, status result, unsigned information) {
  assert(irp->state == WITH_DRIVER);
  assert(result != PENDING && result != MORE_PROCESSING);
  irp->status = result;
  irp->information = information;
  irp->state = COMPLETED;
  return result;
}

static inline void copy_stack_location(struct irp *irp) {
  assert(irp->state == WITH_DRIVER);
  irp->lower = irp->own;
  irp->lower.completion = NULL;
  irp->lower.context = NULL;
}

static inline void set_completion(struct irp *irp, completion_routine routine, void *context) {
  assert(irp->state == WITH_DRIVER);
  irp->lower.completion = routine;
  irp->lower.context = context;
}

/* A final status that the lower driver may answer with. */
static inline status any_result(void) {
  switch (below_or(3)) {
  case 0:
    return IO_ERROR;
  case 1:
    return NOT_READY;
  case 2:
    return VERIFY_REQUIRED;
  default:
    return SUCCESS;
  }
}

/* The lower driver completes a request: the completion routine may take it back. */
static inline void complete_from_below(struct irp *irp, status result) {
  assert(irp->state == WITH_LOWER);
  irp->status = result;
  irp->information = result == SUCCESS ? irp->lower.length : 0;
  irp->state = WITH_DRIVER;
  if (irp->lower.completion) {
    status answer = irp->lower.completion(completion_device, irp, irp->lower.context);
    if (answer == MORE_PROCESSING)
      return;
    assert(answer == SUCCESS);
  }
  if (irp->state == WITH_DRIVER)
    irp->state = COMPLETED;
}

/* Hands a request to the lower driver, which completes it now or later. */
static inline status call_lower(struct irp *irp) {
  assert(irp->state == WITH_DRIVER);
  assert(level < DISPATCH);
  irp->state = WITH_LOWER;
  if (flag()) {
    for (int i = 0; i < MOST_AT_LOWER; i++) {
      if (!at_lower[i]) {
        at_lower[i] = irp;
        irp->marked_pending = 1;
        return PENDING;
      }
    }
  }
  status result = any_result();
  complete_from_below(irp, result);
  return result;
}

/* Passes a request on as it is. */
static inline status skip_to_lower(struct irp *irp) {
  copy_stack_location(irp);
  return call_lower(irp);
}

/* The lower driver completes the oldest request that it holds. Returns whether there was one. */
static inline int lower_driver_completes(void) {
  struct irp *irp = at_lower[0];
  if (!irp)
    return 0;
  for (int i = 0; i + 1 < MOST_AT_LOWER; i++)
    at_lower[i] = at_lower[i + 1];
  at_lower[MOST_AT_LOWER - 1] = NULL;
  complete_from_below(irp, any_result());
  return 1;
}

/* Waits at passive level: meanwhile the lower driver completes what it holds. */
static inline void wait_for(struct event *event) {
  assert(level == PASSIVE);
  while (!event->is_set) {
    int progress = lower_driver_completes();
    assert(progress);
  }
}

static inline status signal_completion(struct device *device, struct irp *irp, void *context) {
  (void)device;
  (void)irp;
  set_event(context);
  return MORE_PROCESSING;
}

/* Sends a request down and waits until it is back; the driver then owns it again. */
static inline status forward_and_wait(struct irp *irp) {
  struct event done;
  clear_event(&done);
  copy_stack_location(irp);
  set_completion(irp, signal_completion, &done);
  int was_pending = irp->marked_pending;
  status result = call_lower(irp);
  if (result == PENDING) {
    wait_for(&done);
    irp->marked_pending = was_pending;
    result = irp->status;
  }
  assert(irp->state == WITH_DRIVER);
  return result;
}

/* A new request for the driver. */
static inline void prepare(struct irp *irp, int major, int minor, unsigned code, unsigned length) {
  assert(irp->state == FREE || irp->state == COMPLETED);
  irp->state = WITH_DRIVER;
  irp->status = NOT_SUPPORTED;
  irp->information = 0;
  irp->marked_pending = 0;
  irp->cancelled = 0;
  irp->next = NULL;
  irp->own = (struct stack_location){major, minor, code, length, NULL, NULL};
  irp->lower = (struct stack_location){0, 0, 0, 0, NULL, NULL};
}

typedef status (*dispatch_routine)(struct device *device, struct irp *irp);

/* Runs a dispatch routine and checks what it leaves behind. */
static inline void send_request(dispatch_routine dispatch, struct device *device, struct irp *irp) {
  status answer = dispatch(device, irp);
  assert(level == PASSIVE);
  if (answer == PENDING) {
    assert(irp->marked_pending);
  } else {
    assert(!irp->marked_pending);
    assert(irp->state == COMPLETED);
    assert(irp->status == answer);
  }
}

#endif
