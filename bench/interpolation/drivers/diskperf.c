// A filter that counts what a disk does: reads and writes go through with a completion routine that updates counters under a
// spin lock; a table of the counters can be asked for; the filter follows start, stop and removal of the disk, and power.
// Requests come for ever, two of them at a time.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! endless: yes
//! small: -DROUNDS=1
//! measured: -DROUNDS=3
#include "kernel.h"

/* --- what the driver is asked for ------------------------------------------------------------------------------------- */

enum major {
  MJ_CREATE,
  MJ_CLOSE,
  MJ_READ,
  MJ_WRITE,
  MJ_FLUSH,
  MJ_SHUTDOWN,
  MJ_DEVICE_CONTROL,
  MJ_PNP,
  MJ_POWER,
  MJ_SYSTEM_CONTROL,
  MJ_COUNT
};

enum pnp {
  PNP_START,
  PNP_QUERY_STOP,
  PNP_CANCEL_STOP,
  PNP_STOP,
  PNP_QUERY_REMOVE,
  PNP_CANCEL_REMOVE,
  PNP_SURPRISE_REMOVAL,
  PNP_REMOVE,
  PNP_USAGE,
  PNP_OTHER
};

enum power { POWER_UP, POWER_DOWN, POWER_QUERY };

enum control { DISK_PERFORMANCE, DISK_PERFORMANCE_OFF, DISK_PERFORMANCE_RESET, STORAGE_NUMBER, CONTROL_OTHER };

/* Queries of management: the list of what there is, the data, and switching its collection on or off. */
enum system_control { QUERY_REGISTRATION, QUERY_DATA, ENABLE_COLLECTION, DISABLE_COLLECTION };

enum { PERFORMANCE_SIZE = 88, NUMBER_SIZE = 12 };

/* --- the device ------------------------------------------------------------------------------------------------------- */

enum device_state { NOT_STARTED, STARTED, STOP_PENDING, STOPPED, REMOVE_PENDING, SURPRISE_REMOVED, REMOVED };

struct counters {
  unsigned reads, writes, bytes_read, bytes_written, failures, split;
};

struct device {
  enum device_state state;
  enum device_state previous;
  int powered;
  int registered;
  unsigned opened;
  /* How many have asked for counters; they are counted only if somebody has. */
  unsigned users;
  unsigned paging_files;
  int number_is_known;
  unsigned number;
  struct spin_lock lock;
  struct counters counters;
  /* Reads and writes that are on their way. */
  unsigned queue_depth;
  unsigned deepest;
};

enum { MOST_USERS = 3, MOST_PAGING_FILES = 2, IRPS = 2 };

/* What a read or write carries to its completion. */
struct measure {
  int in_use;
  int is_read;
  int was_counting;
};

static struct measure measures[IRPS];

static struct measure *take_measure(void) {
  for (int i = 0; i < IRPS; i++) {
    if (!measures[i].in_use) {
      measures[i].in_use = 1;
      return &measures[i];
    }
  }
  return NULL;
}

static void give_back(struct measure *measure) {
  assert(measure->in_use);
  measure->in_use = 0;
}

/* --- reads and writes ------------------------------------------------------------------------------------------------- */

static status io_complete(struct device *device, struct irp *irp, void *context) {
  struct measure *measure = context;
  acquire(&device->lock);
#ifdef BUG
  /* Whether it is counted must have been decided when it was sent: the users may have changed since. */
  if (device->users > 0) {
#else
  if (measure->was_counting) {
#endif
    assert(device->queue_depth > 0); //~ BUG assertion
    device->queue_depth--;
    if (irp->status != SUCCESS) {
      device->counters.failures++;
    } else if (measure->is_read) {
      device->counters.reads++;
      device->counters.bytes_read += irp->information;
    } else {
      device->counters.writes++;
      device->counters.bytes_written += irp->information;
    }
  }
  release(&device->lock);
  give_back(measure);
  return SUCCESS;
}

static status read_write(struct device *device, struct irp *irp) {
  if (device->state != STARTED && device->state != STOP_PENDING && device->state != REMOVE_PENDING)
    return complete(irp, NOT_READY, 0);
  if (irp->own.length == 0)
    return complete(irp, SUCCESS, 0);
  struct measure *measure = take_measure();
  if (!measure)
    return skip_to_lower(irp);
  measure->is_read = irp->own.major == MJ_READ;
  acquire(&device->lock);
  measure->was_counting = device->users > 0;
  if (measure->was_counting) {
    device->queue_depth++;
    if (device->queue_depth > device->deepest)
      device->deepest = device->queue_depth;
  }
  release(&device->lock);
  copy_stack_location(irp);
  set_completion(irp, io_complete, measure);
  return call_lower(irp);
}

/* --- flush and shutdown: nothing to count, but the order matters ------------------------------------------------------- */

static status flush(struct device *device, struct irp *irp) {
  if (device->state == REMOVED)
    return complete(irp, DEVICE_REMOVED, 0);
  status result = forward_and_wait(irp);
  return complete(irp, result, 0);
}

/* --- device control --------------------------------------------------------------------------------------------------- */

static void forget_counters(struct device *device) {
  device->counters.reads = device->counters.writes = 0;
  device->counters.bytes_read = device->counters.bytes_written = 0;
  device->counters.failures = device->counters.split = 0;
  device->deepest = device->queue_depth;
}

static status tell_performance(struct device *device, struct irp *irp) {
  if (irp->own.length < PERFORMANCE_SIZE)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  acquire(&device->lock);
  /* Asking the first time switches the counters on. */
  if (device->users == 0) {
    device->users = 1;
    forget_counters(device);
  }
  unsigned depth = device->queue_depth;
  release(&device->lock);
  assert(depth <= IRPS); //~ BUG assertion
  return complete(irp, SUCCESS, PERFORMANCE_SIZE);
}

static status performance_off(struct device *device, struct irp *irp) {
  status result = SUCCESS;
  acquire(&device->lock);
  if (device->users > 0)
    device->users--;
  else
    result = INVALID_PARAMETER;
  release(&device->lock);
  return complete(irp, result, 0);
}

static status performance_reset(struct device *device, struct irp *irp) {
  acquire(&device->lock);
  forget_counters(device);
  release(&device->lock);
  return complete(irp, SUCCESS, 0);
}

/* The number of the disk is asked from below once, and remembered. */
static status storage_number(struct device *device, struct irp *irp) {
  if (irp->own.length < NUMBER_SIZE)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  if (!device->number_is_known) {
    status result = forward_and_wait(irp);
    if (result != SUCCESS)
      return complete(irp, result, 0);
    device->number = below_or(7);
    device->number_is_known = 1;
  }
  return complete(irp, SUCCESS, NUMBER_SIZE);
}

static status device_control(struct device *device, struct irp *irp) {
  if (device->state == REMOVED || device->state == SURPRISE_REMOVED)
    return complete(irp, DEVICE_REMOVED, 0);
  switch (irp->own.code) {
  case DISK_PERFORMANCE:
    return tell_performance(device, irp);
  case DISK_PERFORMANCE_OFF:
    return performance_off(device, irp);
  case DISK_PERFORMANCE_RESET:
    return performance_reset(device, irp);
  case STORAGE_NUMBER:
    return storage_number(device, irp);
  default:
    return skip_to_lower(irp);
  }
}

/* --- management ------------------------------------------------------------------------------------------------------- */

static status enable_collection(struct device *device, struct irp *irp) {
  acquire(&device->lock);
  if (device->users >= MOST_USERS) {
    release(&device->lock);
    return complete(irp, INVALID_PARAMETER, 0);
  }
  if (device->users == 0)
    forget_counters(device);
  device->users++;
  release(&device->lock);
  return complete(irp, SUCCESS, 0);
}

static status disable_collection(struct device *device, struct irp *irp) {
  acquire(&device->lock);
  if (device->users == 0) {
    release(&device->lock);
    return complete(irp, INVALID_PARAMETER, 0);
  }
  device->users--;
  release(&device->lock);
  return complete(irp, SUCCESS, 0);
}

static status system_control(struct device *device, struct irp *irp) {
  if (!device->registered)
    return skip_to_lower(irp);
  switch (irp->own.minor) {
  case QUERY_REGISTRATION:
    return complete(irp, SUCCESS, irp->own.length);
  case QUERY_DATA:
    if (irp->own.length < PERFORMANCE_SIZE)
      return complete(irp, BUFFER_TOO_SMALL, 0);
    return complete(irp, SUCCESS, PERFORMANCE_SIZE);
  case ENABLE_COLLECTION:
    return enable_collection(device, irp);
  default:
    return disable_collection(device, irp);
  }
}

/* --- start, stop and removal ------------------------------------------------------------------------------------------ */

static status start_device(struct device *device, struct irp *irp) {
  if (device->state != NOT_STARTED && device->state != STOPPED)
    return complete(irp, INVALID_PARAMETER, 0);
  status result = forward_and_wait(irp);
  if (result == SUCCESS) {
    device->state = STARTED;
    device->powered = 1;
    device->registered = 1;
  }
  return complete(irp, result, 0);
}

static status query_stop(struct device *device, struct irp *irp) {
  if (device->state != STARTED)
    return complete(irp, INVALID_PARAMETER, 0);
  /* A disk with a paging file must not stop. */
  if (device->paging_files > 0)
    return complete(irp, UNSUCCESSFUL, 0);
  device->previous = device->state;
  device->state = STOP_PENDING;
  return skip_to_lower(irp);
}

static status query_remove(struct device *device, struct irp *irp) {
  if (device->state != STARTED && device->state != STOPPED)
    return complete(irp, INVALID_PARAMETER, 0);
  if (device->paging_files > 0)
    return complete(irp, UNSUCCESSFUL, 0);
  device->previous = device->state;
  device->state = REMOVE_PENDING;
  return skip_to_lower(irp);
}

static status cancel_query(struct device *device, struct irp *irp, enum device_state pending) {
  if (device->state != pending)
    return skip_to_lower(irp);
  status result = forward_and_wait(irp);
  device->state = device->previous;
  return complete(irp, result, 0);
}

static status stop_device(struct device *device, struct irp *irp) {
  if (device->state != STOP_PENDING)
    return complete(irp, INVALID_PARAMETER, 0);
  device->state = STOPPED;
  return skip_to_lower(irp);
}

static status surprise_removal(struct device *device, struct irp *irp) {
  if (device->state == REMOVED)
    return complete(irp, DEVICE_REMOVED, 0);
  device->state = SURPRISE_REMOVED;
  return skip_to_lower(irp);
}

static status remove_device(struct device *device, struct irp *irp) {
  if (device->state == REMOVED)
    return complete(irp, DEVICE_REMOVED, 0);
  device->state = REMOVED;
  device->registered = 0;
  device->powered = 0;
  device->paging_files = 0;
  return skip_to_lower(irp);
}

/* A paging file comes or goes. Below may refuse; then the count must be as before. */
static status usage(struct device *device, struct irp *irp) {
  if (device->state != STARTED)
    return complete(irp, NOT_READY, 0);
  int in_path = flag();
  if (in_path ? device->paging_files >= MOST_PAGING_FILES : device->paging_files == 0)
    return complete(irp, INVALID_PARAMETER, 0);
  unsigned before = device->paging_files;
  if (in_path)
    device->paging_files++;
  else
    device->paging_files--;
  status result = forward_and_wait(irp);
  if (result != SUCCESS)
    device->paging_files = before;
  return complete(irp, result, 0);
}

static status pnp(struct device *device, struct irp *irp) {
  switch (irp->own.minor) {
  case PNP_START:
    return start_device(device, irp);
  case PNP_QUERY_STOP:
    return query_stop(device, irp);
  case PNP_CANCEL_STOP:
    return cancel_query(device, irp, STOP_PENDING);
  case PNP_STOP:
    return stop_device(device, irp);
  case PNP_QUERY_REMOVE:
    return query_remove(device, irp);
  case PNP_CANCEL_REMOVE:
    return cancel_query(device, irp, REMOVE_PENDING);
  case PNP_SURPRISE_REMOVAL:
    return surprise_removal(device, irp);
  case PNP_REMOVE:
    return remove_device(device, irp);
  case PNP_USAGE:
    return usage(device, irp);
  default:
    return skip_to_lower(irp);
  }
}

/* --- power ------------------------------------------------------------------------------------------------------------ */

static status power_complete(struct device *device, struct irp *irp, void *context) {
  (void)context;
  if (irp->status == SUCCESS && device->state != REMOVED)
    device->powered = 1;
  return SUCCESS;
}

static status power(struct device *device, struct irp *irp) {
  if (device->state == REMOVED)
    return complete(irp, DELETE_PENDING, 0);
  switch (irp->own.minor) {
  case POWER_UP:
    /* The disk has power once the request is back. */
    copy_stack_location(irp);
    set_completion(irp, power_complete, NULL);
    return call_lower(irp);
  case POWER_DOWN:
    /* It has none from before the request is sent. */
    device->powered = 0;
    return skip_to_lower(irp);
  default:
    if (device->paging_files > 0 && flag())
      return complete(irp, UNSUCCESSFUL, 0);
    return skip_to_lower(irp);
  }
}

/* --- opening and closing ---------------------------------------------------------------------------------------------- */

static status create(struct device *device, struct irp *irp) {
  if (device->state == REMOVED || device->state == SURPRISE_REMOVED)
    return complete(irp, DEVICE_REMOVED, 0);
  if (device->opened >= 2)
    return complete(irp, SHARING_VIOLATION, 0);
  device->opened++;
  return complete(irp, SUCCESS, 0);
}

static status close_device(struct device *device, struct irp *irp) {
  if (device->opened == 0)
    return complete(irp, INVALID_PARAMETER, 0);
  device->opened--;
  return complete(irp, SUCCESS, 0);
}

static status dispatch(struct device *device, struct irp *irp) {
  switch (irp->own.major) {
  case MJ_CREATE:
    return create(device, irp);
  case MJ_CLOSE:
    return close_device(device, irp);
  case MJ_READ:
  case MJ_WRITE:
    return read_write(device, irp);
  case MJ_FLUSH:
  case MJ_SHUTDOWN:
    return flush(device, irp);
  case MJ_DEVICE_CONTROL:
    return device_control(device, irp);
  case MJ_PNP:
    return pnp(device, irp);
  case MJ_POWER:
    return power(device, irp);
  default:
    return system_control(device, irp);
  }
}

/* --- the world around it ---------------------------------------------------------------------------------------------- */

static int minor_of(int major) {
  switch (major) {
  case MJ_PNP:
    return (int)below_or(PNP_OTHER);
  case MJ_POWER:
    return (int)below_or(POWER_QUERY);
  case MJ_SYSTEM_CONTROL:
    return (int)below_or(DISABLE_COLLECTION);
  default:
    return 0;
  }
}

static unsigned length_of(int major) {
  switch (major) {
  case MJ_READ:
  case MJ_WRITE:
    return flag() ? 512 : 0;
  case MJ_DEVICE_CONTROL:
  case MJ_SYSTEM_CONTROL:
    return below_or(100);
  default:
    return 0;
  }
}

static void check(const struct device *device) {
  assert(!device->lock.held);
  assert(device->queue_depth <= IRPS); //~ BUG assertion
  assert(device->users <= MOST_USERS);
  assert(device->paging_files <= MOST_PAGING_FILES);
  assert(device->opened <= 2);
  if (device->paging_files > 0)
    assert(device->state == STARTED || device->state == SURPRISE_REMOVED);
  if (device->state == REMOVED)
    assert(!device->powered && !device->registered);
  if (device->state == NOT_STARTED)
    assert(!device->registered);
}

static int is_idle(const struct irp *irp) { return irp->state == FREE || irp->state == COMPLETED; }

int main(void) {
  static struct device device;
  static struct irp irps[IRPS];
  completion_device = &device;
  FOREVER {
    struct irp *irp = NULL;
    for (int i = 0; i < IRPS; i++) {
      if (is_idle(&irps[i])) {
        irp = &irps[i];
        break;
      }
    }
    if (irp && flag()) {
      int major = (int)below_or(MJ_COUNT - 1);
      unsigned code = major == MJ_DEVICE_CONTROL ? below_or(CONTROL_OTHER) : 0;
      prepare(irp, major, minor_of(major), code, length_of(major));
      send_request(dispatch, &device, irp);
    } else {
      lower_driver_completes();
    }
    check(&device);
    /* Once everything is back, nothing is on its way; after removal another disk may come. */
    if (is_idle(&irps[0]) && is_idle(&irps[1])) {
      assert(device.queue_depth == 0); //~ BUG assertion
      if (device.state == REMOVED && flag())
        device = (struct device){0};
    }
  }
  return 0;
}
