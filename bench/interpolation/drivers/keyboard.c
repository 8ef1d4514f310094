// A filter between the keyboard port and the keyboard class. It is connected and disconnected, hooks the interrupt, filters
// scan codes, keeps what was typed in a buffer, lets readers wait for it, and follows start, removal and power of the device.
// A remove lock counts who is inside. Requests and interrupts come for ever.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! endless: yes
//! small: -DROUNDS=2
//! measured: -DROUNDS=3
#include "kernel.h"

/* --- what the driver is asked for ------------------------------------------------------------------------------------- */

enum major {
  MJ_CREATE,
  MJ_CLOSE,
  MJ_CLEANUP,
  MJ_READ,
  MJ_DEVICE_CONTROL,
  MJ_INTERNAL_CONTROL,
  MJ_PNP,
  MJ_POWER,
  MJ_COUNT
};

enum pnp { PNP_START, PNP_SURPRISE_REMOVAL, PNP_REMOVE, PNP_STOP, PNP_QUERY, PNP_OTHER };
enum power { POWER_SET_SYSTEM, POWER_SET_DEVICE, POWER_WAIT_WAKE, POWER_OTHER };

enum control { KEYBOARD_ATTRIBUTES, KEYBOARD_SET_INDICATORS, KEYBOARD_SET_TYPEMATIC, CONTROL_OTHER };
enum internal { CONNECT, DISCONNECT, HOOK, UNHOOK, ENABLE, DISABLE, INTERNAL_OTHER };

enum { ATTRIBUTES_SIZE = 28, INDICATORS_SIZE = 4, TYPEMATIC_SIZE = 6, CONNECT_SIZE = 16, HOOK_SIZE = 40 };

/* --- the device ------------------------------------------------------------------------------------------------------- */

enum device_power { D0, D3 };
enum { BUFFER = 4, IRPS = 2, MOST_OPENED = 2 };

/* Where the filter stands within a code of several bytes. */
enum scan_state { SCAN_NORMAL, SCAN_EXTENDED, SCAN_PAUSE_1, SCAN_PAUSE_2 };

struct device {
  int started, removed, surprise_removed;
  int connected, hooked, enabled;
  unsigned opened;
  enum device_power power;
  enum scan_state scan;
  int caps_lock, shift;
  unsigned indicators;

  struct spin_lock lock;
  unsigned char buffer[BUFFER];
  unsigned in, out, count;
  unsigned lost;

  /* A reader that waits for a key. */
  struct irp *reader;

  /* The remove lock: who is inside, and whether removal waits for them. */
  unsigned inside;
  int removing;
};

/* --- the remove lock -------------------------------------------------------------------------------------------------- */

static status enter(struct device *device) {
  if (device->removing)
    return DELETE_PENDING;
  device->inside++;
  return SUCCESS;
}

static void leave(struct device *device) {
  assert(device->inside > 0); //~ BUG assertion
  device->inside--;
}

/* --- the buffer of keys ----------------------------------------------------------------------------------------------- */

static void put_key(struct device *device, unsigned char key) {
  assert(device->lock.held);
  if (device->count == BUFFER) {
    device->lost++;
    return;
  }
  device->buffer[device->in] = key;
  device->in = (device->in + 1) % BUFFER;
  device->count++;
}

static unsigned char take_key(struct device *device) {
  assert(device->lock.held);
  assert(device->count > 0);
  unsigned char key = device->buffer[device->out];
  device->out = (device->out + 1) % BUFFER;
  device->count--;
  return key;
}

static void empty_buffer(struct device *device) {
  acquire(&device->lock);
  device->in = device->out = device->count = 0;
  release(&device->lock);
}

/* Ends a read that waits. The remove lock was taken for it when it came. */
static void end_reader(struct device *device, struct irp *irp, status result) {
  complete(irp, result, result == SUCCESS ? 1 : 0);
  leave(device);
}

static struct irp *take_reader(struct device *device) {
  assert(device->lock.held);
  struct irp *irp = device->reader;
  device->reader = NULL;
  return irp;
}

/* --- interrupts ------------------------------------------------------------------------------------------------------- */

enum { CODE_EXTENDED = 0xe0, CODE_PAUSE = 0xe1, CODE_BREAK = 0x80, CODE_CAPS = 0x3a, CODE_SHIFT = 0x2a };

/* What the hook makes of a byte of the port. Returns whether a key is complete. */
static int filter_code(struct device *device, unsigned char code, unsigned char *key) {
  switch (device->scan) {
  case SCAN_PAUSE_1:
    device->scan = SCAN_PAUSE_2;
    return 0;
  case SCAN_PAUSE_2:
    device->scan = SCAN_NORMAL;
    *key = 0x7f;
    return 1;
  case SCAN_EXTENDED:
    device->scan = SCAN_NORMAL;
    if (code & CODE_BREAK)
      return 0;
    *key = code | 0x80;
    return 1;
  default:
    break;
  }
  if (code == CODE_EXTENDED) {
    device->scan = SCAN_EXTENDED;
    return 0;
  }
  if (code == CODE_PAUSE) {
    device->scan = SCAN_PAUSE_1;
    return 0;
  }
  if ((code & ~CODE_BREAK) == CODE_SHIFT) {
    device->shift = !(code & CODE_BREAK);
    return 0;
  }
  if (code == CODE_CAPS) {
    device->caps_lock = !device->caps_lock;
    return 0;
  }
  if (code & CODE_BREAK)
    return 0;
  *key = code;
  return 1;
}

static void interrupt(struct device *device) {
  if (!device->started || !device->enabled || device->power != D0)
    return;
  unsigned char code = __VERIFIER_nondet_uchar();
  unsigned char key = code;
  int is_complete = 1;
  struct irp *irp = NULL;
  acquire(&device->lock);
  if (device->hooked)
    is_complete = filter_code(device, code, &key);
  if (is_complete) {
    irp = take_reader(device);
    if (!irp)
      put_key(device, key);
  }
  release(&device->lock);
  if (irp)
    end_reader(device, irp, SUCCESS);
}

/* --- opening and closing ---------------------------------------------------------------------------------------------- */

static status create(struct device *device, struct irp *irp) {
  if (!device->started || !device->connected)
    return complete(irp, NOT_READY, 0);
  if (device->opened >= MOST_OPENED)
    return complete(irp, SHARING_VIOLATION, 0);
  device->opened++;
  return complete(irp, SUCCESS, 0);
}

static status close_device(struct device *device, struct irp *irp) {
  if (device->opened == 0)
    return complete(irp, INVALID_PARAMETER, 0);
  device->opened--;
  if (device->opened == 0)
    empty_buffer(device);
  return complete(irp, SUCCESS, 0);
}

/* Whoever closes does not read any more. */
static status cleanup(struct device *device, struct irp *irp) {
  acquire(&device->lock);
  struct irp *reader = take_reader(device);
  release(&device->lock);
  if (reader)
    end_reader(device, reader, CANCELLED);
  return complete(irp, SUCCESS, 0);
}

static status read(struct device *device, struct irp *irp) {
  if (irp->own.length == 0)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  if (!device->started || device->opened == 0)
    return complete(irp, NOT_READY, 0);
  status entered = enter(device);
  if (entered != SUCCESS)
    return complete(irp, entered, 0);
  acquire(&device->lock);
  if (device->count > 0) {
    take_key(device);
    release(&device->lock);
    leave(device);
    return complete(irp, SUCCESS, 1);
  }
  if (device->reader) {
    release(&device->lock);
    leave(device);
    return complete(irp, SHARING_VIOLATION, 0);
  }
  mark_pending(irp);
  device->reader = irp;
  release(&device->lock);
  return PENDING;
}

/* --- control codes ---------------------------------------------------------------------------------------------------- */

static status indicators_complete(struct device *device, struct irp *irp, void *context) {
  (void)context;
  if (irp->status == SUCCESS)
    device->indicators = device->caps_lock ? 4 : 0;
  leave(device);
  return SUCCESS;
}

static status device_control(struct device *device, struct irp *irp) {
  if (!device->started)
    return complete(irp, NOT_READY, 0);
  switch (irp->own.code) {
  case KEYBOARD_ATTRIBUTES:
    if (irp->own.length < ATTRIBUTES_SIZE)
      return complete(irp, BUFFER_TOO_SMALL, 0);
    return skip_to_lower(irp);
  case KEYBOARD_SET_INDICATORS: {
    if (irp->own.length < INDICATORS_SIZE)
      return complete(irp, INVALID_PARAMETER, 0);
    status entered = enter(device);
    if (entered != SUCCESS)
      return complete(irp, entered, 0);
    copy_stack_location(irp);
    set_completion(irp, indicators_complete, NULL);
    return call_lower(irp);
  }
  case KEYBOARD_SET_TYPEMATIC:
    if (irp->own.length < TYPEMATIC_SIZE)
      return complete(irp, INVALID_PARAMETER, 0);
    return skip_to_lower(irp);
  default:
    return skip_to_lower(irp);
  }
}

static status connect(struct device *device, struct irp *irp) {
  /* Only one connection is allowed. */
  if (device->connected)
    return complete(irp, SHARING_VIOLATION, 0);
  if (irp->own.length < CONNECT_SIZE)
    return complete(irp, INVALID_PARAMETER, 0);
  status result = forward_and_wait(irp);
  if (result == SUCCESS)
    device->connected = 1;
  return complete(irp, result, 0);
}

static status hook(struct device *device, struct irp *irp) {
  if (irp->own.length < HOOK_SIZE)
    return complete(irp, INVALID_PARAMETER, 0);
  if (!device->connected)
    return complete(irp, NOT_READY, 0);
  acquire(&device->lock);
  device->hooked = 1;
  device->scan = SCAN_NORMAL;
  release(&device->lock);
  return skip_to_lower(irp);
}

static status unhook(struct device *device, struct irp *irp) {
  acquire(&device->lock);
  device->hooked = 0;
  device->scan = SCAN_NORMAL;
  release(&device->lock);
  return complete(irp, SUCCESS, 0);
}

static status set_enabled(struct device *device, struct irp *irp, int enabled) {
  if (!device->connected || !device->started)
    return complete(irp, NOT_READY, 0);
  status result = forward_and_wait(irp);
  if (result == SUCCESS)
    device->enabled = enabled;
  return complete(irp, result, 0);
}

static status internal_control(struct device *device, struct irp *irp) {
  if (device->removed)
    return complete(irp, DEVICE_REMOVED, 0);
  switch (irp->own.code) {
  case CONNECT:
    return connect(device, irp);
  case DISCONNECT:
    /* The port does not support it; nothing ever disconnects but removal. */
    return complete(irp, NOT_SUPPORTED, 0);
  case HOOK:
    return hook(device, irp);
  case UNHOOK:
    return unhook(device, irp);
  case ENABLE:
    return set_enabled(device, irp, 1);
  case DISABLE:
    return set_enabled(device, irp, 0);
  default:
    return skip_to_lower(irp);
  }
}

/* --- start and removal ------------------------------------------------------------------------------------------------ */

static void stop_reading(struct device *device, status result) {
  acquire(&device->lock);
  struct irp *reader = take_reader(device);
  release(&device->lock);
  if (reader)
    end_reader(device, reader, result);
}

static status start_device(struct device *device, struct irp *irp) {
  if (device->started || device->surprise_removed)
    return complete(irp, INVALID_PARAMETER, 0);
  status result = forward_and_wait(irp);
  if (result == SUCCESS) {
    device->started = 1;
    device->power = D0;
  }
  return complete(irp, result, 0);
}

static status remove_device(struct device *device, struct irp *irp) {
  device->removing = 1;
  device->started = 0;
  device->enabled = 0;
  stop_reading(device, DEVICE_REMOVED);
  /* Whoever is still inside is at the lower driver, which completes in the end. */
  while (device->inside > 0) {
    int progress = lower_driver_completes();
    assert(progress);
  }
  assert(!device->reader);
  device->removed = 1;
  device->connected = 0;
  device->hooked = 0;
  device->opened = 0;
  empty_buffer(device);
  return skip_to_lower(irp);
}

static status pnp(struct device *device, struct irp *irp) {
  switch (irp->own.minor) {
  case PNP_START:
    return start_device(device, irp);
  case PNP_STOP:
    device->started = 0;
    device->enabled = 0;
    stop_reading(device, NOT_READY);
    return skip_to_lower(irp);
  case PNP_SURPRISE_REMOVAL:
    device->surprise_removed = 1;
    device->started = 0;
    device->enabled = 0;
    stop_reading(device, DEVICE_REMOVED);
    return skip_to_lower(irp);
  case PNP_REMOVE:
    return remove_device(device, irp);
  default:
    return skip_to_lower(irp);
  }
}

/* --- power ------------------------------------------------------------------------------------------------------------ */

static status power_up_complete(struct device *device, struct irp *irp, void *context) {
  (void)context;
  if (irp->status == SUCCESS)
    device->power = D0;
  leave(device);
  return SUCCESS;
}

static status power(struct device *device, struct irp *irp) {
  switch (irp->own.minor) {
  case POWER_SET_DEVICE: {
    if (irp->own.code == D3) {
      device->power = D3;
      return skip_to_lower(irp);
    }
    status entered = enter(device);
    if (entered != SUCCESS)
      return complete(irp, entered, 0);
    copy_stack_location(irp);
    set_completion(irp, power_up_complete, NULL);
    status answer = call_lower(irp);
#ifdef BUG
    /* The completion routine has left already, or will. */
    if (answer != PENDING && answer != SUCCESS)
      leave(device);
#endif
    return answer;
  }
  default:
    return skip_to_lower(irp);
  }
}

/* --- dispatch --------------------------------------------------------------------------------------------------------- */

static status dispatch(struct device *device, struct irp *irp) {
  if (device->removed)
    return complete(irp, DELETE_PENDING, 0);
  switch (irp->own.major) {
  case MJ_CREATE:
    return create(device, irp);
  case MJ_CLOSE:
    return close_device(device, irp);
  case MJ_CLEANUP:
    return cleanup(device, irp);
  case MJ_READ:
    return read(device, irp);
  case MJ_DEVICE_CONTROL:
    return device_control(device, irp);
  case MJ_INTERNAL_CONTROL:
    return internal_control(device, irp);
  case MJ_PNP:
    return pnp(device, irp);
  default:
    return power(device, irp);
  }
}

/* --- the world around it ---------------------------------------------------------------------------------------------- */

static void check(const struct device *device) {
  assert(!device->lock.held);
  assert(device->count <= BUFFER);
  assert((device->out + device->count) % BUFFER == device->in);
  assert(device->opened <= MOST_OPENED);
  assert(device->inside <= IRPS);
  if (device->reader) {
    assert(device->reader->state == WITH_DRIVER);
    assert(device->count == 0 && device->inside > 0 && device->started); //~ BUG assertion
  }
  if (device->enabled)
    assert(device->started && device->connected);
  if (!device->hooked)
    assert(device->scan == SCAN_NORMAL || device->removed);
  if (device->removed)
    assert(device->inside == 0 && device->opened == 0 && !device->connected);
}

static int is_idle(const struct irp *irp) { return irp->state == FREE || irp->state == COMPLETED; }

static void request(struct device *device, struct irp *irp) {
  int major = (int)below_or(MJ_COUNT - 1), minor = 0;
  unsigned code = 0, length = 0;
  switch (major) {
  case MJ_READ:
    length = flag();
    break;
  case MJ_DEVICE_CONTROL:
    code = below_or(CONTROL_OTHER);
    length = below_or(32);
    break;
  case MJ_INTERNAL_CONTROL:
    code = below_or(INTERNAL_OTHER);
    length = below_or(48);
    break;
  case MJ_PNP:
    minor = (int)below_or(PNP_OTHER);
    break;
  case MJ_POWER:
    minor = (int)below_or(POWER_OTHER);
    code = flag() ? D0 : D3;
    break;
  default:
    break;
  }
  prepare(irp, major, minor, code, length);
  send_request(dispatch, device, irp);
}

int main(void) {
  static struct device device;
  static struct irp irps[IRPS];
  completion_device = &device;
  FOREVER {
    switch (below_or(2)) {
    case 0:
      if (is_idle(&irps[0]))
        request(&device, &irps[0]);
      else if (is_idle(&irps[1]))
        request(&device, &irps[1]);
      break;
    case 1:
      interrupt(&device);
      break;
    default:
      lower_driver_completes();
    }
    check(&device);
    /* Once everything is back nobody is inside; after removal the keyboard may be plugged in again. */
    if (is_idle(&irps[0]) && is_idle(&irps[1])) {
      assert(device.inside == 0);
      if (device.removed && flag())
        device = (struct device){0};
    }
  }
  return 0;
}
