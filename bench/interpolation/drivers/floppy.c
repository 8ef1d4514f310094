// A driver of a floppy controller. Requests wait in a queue for a worker, which turns on the motor, finds out what medium is
// in the drive, seeks, transfers sector by sector with retries, and formats. Every register of the controller is input.
// Requests can be cancelled while they wait. The number of requests is bounded, so it ends.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DREQUESTS=1 -DPOLLS=1 -DTRIES=1
//! measured: -DREQUESTS=1 -DPOLLS=1
#include "kernel.h"

#ifndef REQUESTS
#define REQUESTS 3
#endif
#ifndef POLLS
#define POLLS 2
#endif
#ifndef TRIES
#define TRIES 2
#endif

/* --- what the driver is asked for ------------------------------------------------------------------------------------- */

enum major { MJ_CREATE, MJ_CLOSE, MJ_READ, MJ_WRITE, MJ_DEVICE_CONTROL, MJ_PNP, MJ_POWER, MJ_COUNT };
enum pnp { PNP_START, PNP_STOP, PNP_REMOVE, PNP_OTHER };

enum control { FLOPPY_GEOMETRY, FLOPPY_CHECK, FLOPPY_FORMAT, FLOPPY_IS_WRITABLE, FLOPPY_RESET, FLOPPY_CONTROLS };

enum { GEOMETRY_SIZE = 24, FORMAT_SIZE = 12, SECTOR_SIZE = 512 };

/* --- media ------------------------------------------------------------------------------------------------------------ */

enum medium { UNKNOWN_MEDIUM, DD_720, HD_1440, ED_2880, NO_MEDIUM };

struct geometry {
  unsigned cylinders, heads, sectors, rate;
};

static const struct geometry geometries[] = {
    [UNKNOWN_MEDIUM] = {0, 0, 0, 0}, [DD_720] = {80, 2, 9, 2},   [HD_1440] = {80, 2, 18, 0},
    [ED_2880] = {80, 2, 36, 3},      [NO_MEDIUM] = {0, 0, 0, 0},
};

/* --- the device ------------------------------------------------------------------------------------------------------- */

enum power_state { ON, OFF };

struct device {
  int started, removed;
  unsigned opened;
  enum power_state power;
  enum medium medium;
  int write_protected;
  int medium_changed;
  unsigned cylinder;
  int calibrated;
  int motor_runs;
  /* The controller is shared with a tape drive: only its holder may touch its registers. */
  int holds_controller;
  int worker_runs;
  struct spin_lock queue_lock;
  struct irp *first, *last;
  unsigned queued;
  unsigned resets;
};

/* --- the queue -------------------------------------------------------------------------------------------------------- */

static void enqueue(struct device *device, struct irp *irp) {
  acquire(&device->queue_lock);
  mark_pending(irp);
  irp->next = NULL;
  if (device->last)
    device->last->next = irp;
  else
    device->first = irp;
  device->last = irp;
  device->queued++;
  release(&device->queue_lock);
}

static struct irp *dequeue(struct device *device) {
  acquire(&device->queue_lock);
  struct irp *irp = device->first;
  if (irp) {
    device->first = irp->next;
    if (!device->first)
      device->last = NULL;
    irp->next = NULL;
    assert(device->queued > 0);
    device->queued--;
  }
  release(&device->queue_lock);
  return irp;
}

/* Takes a request out of the middle of the queue, if it still waits there. */
static int unlink_from_queue(struct device *device, struct irp *wanted) {
  int found = 0;
  acquire(&device->queue_lock);
  struct irp *before = NULL;
  for (struct irp *irp = device->first; irp; irp = irp->next) {
    if (irp == wanted) {
      if (before)
        before->next = irp->next;
      else
        device->first = irp->next;
#ifdef BUG
      /* The end of the queue is right only if the request was not the last. */
      if (!device->first)
        device->last = NULL;
#else
      if (device->last == irp)
        device->last = before;
#endif
      irp->next = NULL;
      device->queued--;
      found = 1;
      break;
    }
    before = irp;
  }
  release(&device->queue_lock);
  return found;
}

static void cancel(struct device *device, struct irp *irp) {
  irp->cancelled = 1;
  if (irp->state == WITH_DRIVER && unlink_from_queue(device, irp))
    complete(irp, CANCELLED, 0);
}

/* --- the controller --------------------------------------------------------------------------------------------------- */

enum { STATUS_READY = 0x80, STATUS_TO_CPU = 0x40, STATUS_BUSY = 0x10 };
enum { RESULT_BAD = 0xc0, RESULT_SEEK_END = 0x20 };
enum { MOST_RESETS = 2 };

static status take_controller(struct device *device) {
  assert(!device->holds_controller);
  assert(level == PASSIVE);
  /* The tape drive may not give it back in time. */
  if (flag())
    return NOT_READY;
  device->holds_controller = 1;
  return SUCCESS;
}

static void give_controller(struct device *device) {
  assert(device->holds_controller);
  assert(!device->motor_runs);
  device->holds_controller = 0;
}

static unsigned read_register(const struct device *device) {
  assert(device->holds_controller);
  assert(device->power == ON);
  return __VERIFIER_nondet_uchar();
}

static status wait_until_ready(struct device *device, int to_cpu) {
  for (int poll = 0; poll < POLLS; poll++) {
    unsigned main_status = read_register(device);
    if ((main_status & STATUS_READY) && !(main_status & STATUS_TO_CPU) == !to_cpu)
      return SUCCESS;
  }
  return NOT_READY;
}

/* Sends a command and reads the result byte. */
static status command(struct device *device, unsigned *result) {
  status ready = wait_until_ready(device, 0);
  if (ready != SUCCESS)
    return ready;
  ready = wait_until_ready(device, 1);
  if (ready != SUCCESS)
    return ready;
  *result = read_register(device);
  return SUCCESS;
}

static void motor_on(struct device *device) {
  assert(device->holds_controller);
  device->motor_runs = 1;
}

static void motor_off(struct device *device) {
  assert(device->holds_controller);
  device->motor_runs = 0;
}

static status reset_controller(struct device *device) {
  if (device->resets >= MOST_RESETS)
    return IO_ERROR;
  device->resets++;
  device->calibrated = 0;
  device->cylinder = 0;
  return wait_until_ready(device, 0);
}

static status recalibrate(struct device *device) {
  assert(device->motor_runs);
  unsigned result;
  status sent = command(device, &result);
  if (sent != SUCCESS)
    return sent;
  if (!(result & RESULT_SEEK_END))
    return IO_ERROR;
  device->cylinder = 0;
  device->calibrated = 1;
  return SUCCESS;
}

static status seek(struct device *device, unsigned cylinder) {
  assert(device->motor_runs && device->calibrated);
  assert(cylinder < geometries[device->medium].cylinders);
  if (device->cylinder == cylinder)
    return SUCCESS;
  unsigned result;
  status sent = command(device, &result);
  if (sent != SUCCESS)
    return sent;
  if ((result & RESULT_BAD) || !(result & RESULT_SEEK_END)) {
    device->calibrated = 0;
    return IO_ERROR;
  }
  device->cylinder = cylinder;
  return SUCCESS;
}

/* --- what medium there is --------------------------------------------------------------------------------------------- */

static int disk_change_line(const struct device *device) { return read_register(device) & 0x80; }

/* Tries to read a sector at one density after another. */
static status determine_medium(struct device *device) {
  static const enum medium candidates[] = {HD_1440, DD_720, ED_2880};
  device->medium = UNKNOWN_MEDIUM;
  for (unsigned i = 0; i < sizeof candidates / sizeof *candidates; i++) {
    unsigned result;
    status sent = command(device, &result);
    if (sent != SUCCESS)
      return sent;
    if (!(result & RESULT_BAD)) {
      device->medium = candidates[i];
      device->write_protected = (result & 2) != 0;
      return SUCCESS;
    }
  }
  return NO_MEDIA;
}

/* Makes sure that the drive runs, is calibrated, and has a medium that is known. The motor may run afterwards even if it
 * fails. */
static status start_drive(struct device *device) {
  motor_on(device);
  if (!device->calibrated) {
    status calibrated = recalibrate(device);
    if (calibrated == NOT_READY) {
      calibrated = reset_controller(device);
      if (calibrated == SUCCESS)
        calibrated = recalibrate(device);
    }
    if (calibrated != SUCCESS)
      return calibrated;
  }
  if (disk_change_line(device)) {
    device->medium_changed = 1;
    device->medium = UNKNOWN_MEDIUM;
  }
  if (device->medium == UNKNOWN_MEDIUM || device->medium == NO_MEDIUM) {
    status determined = determine_medium(device);
    if (determined == NO_MEDIA)
      device->medium = NO_MEDIUM;
    if (determined != SUCCESS)
      return determined;
  }
  return device->medium_changed ? VERIFY_REQUIRED : SUCCESS;
}

/* --- transfers -------------------------------------------------------------------------------------------------------- */

static status transfer_sector(struct device *device, unsigned sector) {
  const struct geometry *geometry = &geometries[device->medium];
  unsigned per_cylinder = geometry->heads * geometry->sectors;
  for (int try = 0; try < TRIES; try++) {
    if (!device->calibrated) {
      status calibrated = recalibrate(device);
      if (calibrated != SUCCESS)
        return calibrated;
    }
    status result = seek(device, sector / per_cylinder);
    if (result == NOT_READY)
      return result;
    if (result == SUCCESS) {
      unsigned answer;
      result = command(device, &answer);
      if (result != SUCCESS)
        return result;
      if (!(answer & RESULT_BAD))
        return SUCCESS;
    }
  }
  return IO_ERROR;
}

static status transfer(struct device *device, struct irp *irp, unsigned *transferred) {
  const struct geometry *geometry = &geometries[device->medium];
  unsigned all = geometry->cylinders * geometry->heads * geometry->sectors;
  unsigned sectors = irp->own.length / SECTOR_SIZE;
  unsigned first = irp->own.code;
  *transferred = 0;
  if (irp->own.length % SECTOR_SIZE != 0 || first >= all || sectors > all - first)
    return INVALID_PARAMETER;
  if (irp->own.major == MJ_WRITE && device->write_protected)
    return WRITE_PROTECTED;
  for (unsigned i = 0; i < sectors; i++) {
    status result = transfer_sector(device, first + i);
    if (result != SUCCESS)
      return result;
    *transferred += SECTOR_SIZE;
  }
  assert(*transferred == irp->own.length);
  return SUCCESS;
}

static status format(struct device *device, struct irp *irp) {
  if (device->write_protected)
    return WRITE_PROTECTED;
  unsigned from = below_or(80), to = below_or(80);
  if (from > to || to >= geometries[device->medium].cylinders || to - from > 1)
    return INVALID_PARAMETER;
  (void)irp;
  for (unsigned cylinder = from; cylinder <= to; cylinder++) {
    if (!device->calibrated) {
      status calibrated = recalibrate(device);
      if (calibrated != SUCCESS)
        return calibrated;
    }
    status result = seek(device, cylinder);
    if (result != SUCCESS)
      return result;
    unsigned answer;
    result = command(device, &answer);
    if (result != SUCCESS)
      return result;
    if (answer & RESULT_BAD)
      return IO_ERROR;
  }
  return SUCCESS;
}

/* --- the worker ------------------------------------------------------------------------------------------------------- */

static void serve_control(struct device *device, struct irp *irp, status started) {
  switch (irp->own.code) {
  case FLOPPY_GEOMETRY:
    if (started == VERIFY_REQUIRED)
      started = SUCCESS;
    if (started == SUCCESS)
      assert(geometries[device->medium].sectors > 0);
    complete(irp, started, started == SUCCESS ? GEOMETRY_SIZE : 0);
    break;
  case FLOPPY_CHECK:
    /* Whoever asks knows now that the medium has changed. */
    if (started == VERIFY_REQUIRED)
      device->medium_changed = 0;
    complete(irp, started, 0);
    break;
  case FLOPPY_IS_WRITABLE:
    if (started == SUCCESS && device->write_protected)
      started = WRITE_PROTECTED;
    complete(irp, started, 0);
    break;
  case FLOPPY_FORMAT:
    if (started == SUCCESS)
      started = format(device, irp);
    complete(irp, started, 0);
    break;
  default:
    if (started == SUCCESS || started == VERIFY_REQUIRED)
      started = reset_controller(device);
    complete(irp, started, 0);
  }
}

static void serve(struct device *device, struct irp *irp) {
  assert(irp->state == WITH_DRIVER);
  assert(irp->marked_pending);
  if (irp->cancelled) {
    complete(irp, CANCELLED, 0);
    return;
  }
  if (device->removed || !device->started) {
    complete(irp, DEVICE_REMOVED, 0);
    return;
  }
  if (device->power == OFF) {
    complete(irp, NOT_READY, 0);
    return;
  }
  status held = take_controller(device);
  if (held != SUCCESS) {
    complete(irp, held, 0);
    return;
  }
  status started = start_drive(device);
  if (irp->own.major == MJ_DEVICE_CONTROL) {
    serve_control(device, irp, started);
  } else if (started != SUCCESS) {
    complete(irp, started, 0);
  } else {
    unsigned transferred;
    status result = transfer(device, irp, &transferred);
    complete(irp, result, transferred);
  }
  motor_off(device);
  give_controller(device);
}

static void run_worker(struct device *device) {
  assert(!device->worker_runs);
  device->worker_runs = 1;
  struct irp *irp;
  while ((irp = dequeue(device)))
    serve(device, irp);
  assert(device->queued == 0); //~ BUG assertion
  device->worker_runs = 0;
}

/* --- dispatch --------------------------------------------------------------------------------------------------------- */

static status read_write(struct device *device, struct irp *irp) {
  if (!device->started || device->removed)
    return complete(irp, NOT_READY, 0);
  if (device->medium_changed)
    return complete(irp, VERIFY_REQUIRED, 0);
  if (irp->own.length == 0)
    return complete(irp, SUCCESS, 0);
  enqueue(device, irp);
  return PENDING;
}

static status device_control(struct device *device, struct irp *irp) {
  if (!device->started || device->removed)
    return complete(irp, NOT_READY, 0);
  switch (irp->own.code) {
  case FLOPPY_GEOMETRY:
    if (irp->own.length < GEOMETRY_SIZE)
      return complete(irp, BUFFER_TOO_SMALL, 0);
    break;
  case FLOPPY_FORMAT:
    if (irp->own.length < FORMAT_SIZE)
      return complete(irp, BUFFER_TOO_SMALL, 0);
    break;
  case FLOPPY_CHECK:
  case FLOPPY_IS_WRITABLE:
  case FLOPPY_RESET:
    break;
  default:
    return complete(irp, NOT_SUPPORTED, 0);
  }
  enqueue(device, irp);
  return PENDING;
}

static status pnp(struct device *device, struct irp *irp) {
  switch (irp->own.minor) {
  case PNP_START: {
    if (device->started || device->removed)
      return complete(irp, INVALID_PARAMETER, 0);
    status result = forward_and_wait(irp);
    if (result == SUCCESS) {
      device->started = 1;
      device->power = ON;
      device->medium = UNKNOWN_MEDIUM;
      device->calibrated = 0;
    }
    return complete(irp, result, 0);
  }
  case PNP_STOP:
    /* Not while somebody waits. */
    if (device->queued > 0)
      return complete(irp, UNSUCCESSFUL, 0);
    device->started = 0;
    return skip_to_lower(irp);
  case PNP_REMOVE:
    device->removed = 1;
    device->started = 0;
    return skip_to_lower(irp);
  default:
    return skip_to_lower(irp);
  }
}

static status power(struct device *device, struct irp *irp) {
  if (irp->own.code == 0) {
    device->power = ON;
  } else {
    if (device->queued > 0)
      return complete(irp, UNSUCCESSFUL, 0);
    device->power = OFF;
    device->calibrated = 0;
  }
  return skip_to_lower(irp);
}

static status dispatch(struct device *device, struct irp *irp) {
  switch (irp->own.major) {
  case MJ_CREATE:
    if (device->removed)
      return complete(irp, DEVICE_REMOVED, 0);
    device->opened++;
    return complete(irp, SUCCESS, 0);
  case MJ_CLOSE:
    if (device->opened == 0)
      return complete(irp, INVALID_PARAMETER, 0);
    device->opened--;
    return complete(irp, SUCCESS, 0);
  case MJ_READ:
  case MJ_WRITE:
    return read_write(device, irp);
  case MJ_DEVICE_CONTROL:
    return device_control(device, irp);
  case MJ_PNP:
    return pnp(device, irp);
  default:
    return power(device, irp);
  }
}

/* --- the world around it ---------------------------------------------------------------------------------------------- */

static void check(const struct device *device) {
  assert(!device->queue_lock.held);
  assert(!device->holds_controller && !device->motor_runs);
  assert(!device->first == !device->last);
  assert(!device->first == (device->queued == 0));
  assert(device->resets <= MOST_RESETS);
  if (device->power == OFF)
    assert(!device->calibrated);
}

int main(void) {
  static struct device device;
  static struct irp irps[REQUESTS + 1];
  completion_device = &device;

  prepare(&irps[0], MJ_PNP, PNP_START, 0, 0);
  send_request(dispatch, &device, &irps[0]);

  for (int i = 1; i <= REQUESTS; i++) {
    int major = (int)below_or(MJ_COUNT - 1);
    unsigned code = 0, length = 0;
    int minor = 0;
    switch (major) {
    case MJ_PNP:
      minor = (int)below_or(PNP_OTHER);
      break;
    case MJ_POWER:
      code = flag();
      break;
    case MJ_DEVICE_CONTROL:
      code = below_or(FLOPPY_CONTROLS);
      length = below_or(30);
      break;
    case MJ_READ:
    case MJ_WRITE:
      code = __VERIFIER_nondet_ushort();
      length = below_or(2) * SECTOR_SIZE;
      break;
    default:
      break;
    }
    prepare(&irps[i], major, minor, code, length);
    send_request(dispatch, &device, &irps[i]);
    /* Somebody may change their mind, and the worker may have its turn now or later. */
    if (flag())
      cancel(&device, &irps[i]);
    if (flag())
      run_worker(&device);
    check(&device);
  }

  run_worker(&device);
  while (lower_driver_completes())
    continue;
  check(&device);
  for (int i = 0; i <= REQUESTS; i++)
    assert(irps[i].state == COMPLETED);
  return 0;
}
