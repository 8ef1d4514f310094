// A filter for the audio functions of CD-ROM drives. Three families of drives need their own commands; commands go down
// synchronously with retries; play state, positions and volumes are kept in the extension of the device.
// The number of requests is bounded, so it ends.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DREQUESTS=1 -DRETRIES=0
//! measured: -DREQUESTS=1 -DRETRIES=1
#include "kernel.h"

#ifndef REQUESTS
#define REQUESTS 4
#endif
#ifndef RETRIES
#define RETRIES 2
#endif

/* --- what the driver is asked for ------------------------------------------------------------------------------------- */

enum major { MJ_CREATE, MJ_CLOSE, MJ_READ, MJ_DEVICE_CONTROL, MJ_PNP, MJ_POWER, MJ_COUNT };
enum pnp { PNP_START, PNP_STOP, PNP_REMOVE, PNP_QUERY_CAPABILITIES };

enum control {
  CDROM_READ_TOC,
  CDROM_PLAY,
  CDROM_PAUSE,
  CDROM_RESUME,
  CDROM_STOP,
  CDROM_SEEK,
  CDROM_READ_POSITION,
  CDROM_GET_VOLUME,
  CDROM_SET_VOLUME,
  CDROM_CHECK_VERIFY,
  CDROM_EJECT,
  CDROM_CONTROLS
};

/* The size of the buffer that each control code needs. */
enum { TOC_SIZE = 20, PLAY_SIZE = 6, SEEK_SIZE = 3, POSITION_SIZE = 8, VOLUME_SIZE = 4 };

/* --- the device ------------------------------------------------------------------------------------------------------- */

enum family { ATAPI, DENON, NEC };
enum play_state { NO_DISC, STOPPED, PLAYING, PAUSED };

enum { FRAMES_PER_SECOND = 75, SECONDS_PER_MINUTE = 60, LAST_MINUTE = 79 };

struct position {
  unsigned minute, second, frame;
};

struct device {
  enum family family;
  int started;
  int removed;
  unsigned opened;
  enum play_state play;
  int toc_is_valid;
  unsigned tracks;
  /* Where to go on after a pause: valid only in `PAUSED`. */
  int resume_is_valid;
  struct position resume;
  unsigned volume;
  int verify_needed;
  struct spin_lock lock;
  /* Requests between `enter` and `leave`. */
  unsigned active;
};

static status enter(struct device *device) {
  acquire(&device->lock);
  if (device->removed) {
    release(&device->lock);
    return DELETE_PENDING;
  }
  device->active++;
  release(&device->lock);
  return SUCCESS;
}

static void leave(struct device *device) {
  acquire(&device->lock);
  assert(device->active > 0);
  device->active--;
  release(&device->lock);
}

static void set_play(struct device *device, enum play_state play) {
  acquire(&device->lock);
  device->play = play;
  if (play != PAUSED)
    device->resume_is_valid = 0;
  release(&device->lock);
}

/* --- commands to the drive -------------------------------------------------------------------------------------------- */

enum command {
  CMD_TEST_READY,
  CMD_READ_TOC,
  CMD_PLAY_MSF,
  CMD_PLAY_DENON,
  CMD_PLAY_NEC,
  CMD_PAUSE,
  CMD_PAUSE_NEC,
  CMD_STOP,
  CMD_STOP_DENON,
  CMD_SEEK,
  CMD_SEEK_NEC,
  CMD_READ_CHANNEL,
  CMD_MODE_SENSE,
  CMD_MODE_SELECT,
  CMD_EJECT
};

/* A command goes down in the request itself, and comes back to us before the request is completed. */
static status send_command(struct device *device, struct irp *irp, enum command command, unsigned length) {
  struct stack_location saved = irp->own;
  status result = NOT_READY;
  for (unsigned try = 0; try <= RETRIES; try++) {
    irp->own.major = MJ_DEVICE_CONTROL;
    irp->own.code = command;
    irp->own.length = length;
    result = forward_and_wait(irp);
    if (result != NOT_READY)
      break;
  }
  irp->own = saved;
  if (result == VERIFY_REQUIRED) {
    acquire(&device->lock);
    device->verify_needed = 1;
    device->toc_is_valid = 0;
    release(&device->lock);
    set_play(device, NO_DISC);
  }
  return result;
}

/* What the drive has answered to a command that reads. */
static unsigned answered_byte(unsigned most) { return below_or(most); }

/* --- the families ----------------------------------------------------------------------------------------------------- */

static enum command play_command(const struct device *device) {
  switch (device->family) {
  case DENON:
    return CMD_PLAY_DENON;
  case NEC:
    return CMD_PLAY_NEC;
  default:
    return CMD_PLAY_MSF;
  }
}

static status pause_drive(struct device *device, struct irp *irp) {
  switch (device->family) {
  case DENON:
    /* This family cannot pause: it is stopped, and resumed by playing from where it was. */
    return send_command(device, irp, CMD_STOP_DENON, 0);
  case NEC:
    return send_command(device, irp, CMD_PAUSE_NEC, 0);
  default:
    return send_command(device, irp, CMD_PAUSE, 0);
  }
}

static status stop_drive(struct device *device, struct irp *irp) {
  if (device->family == DENON)
    return send_command(device, irp, CMD_STOP_DENON, 0);
  return send_command(device, irp, CMD_STOP, 0);
}

static status seek_drive(struct device *device, struct irp *irp) {
  if (device->family == NEC)
    return send_command(device, irp, CMD_SEEK_NEC, SEEK_SIZE);
  return send_command(device, irp, CMD_SEEK, SEEK_SIZE);
}

/* NEC drives answer in binary-coded decimals. */
static unsigned from_bcd(unsigned value) { return (value >> 4) * 10 + (value & 15); }

static int is_bcd(unsigned value) { return (value & 15) < 10 && value >> 4 < 10; }

static status read_position(struct device *device, struct irp *irp, struct position *position) {
  status result = send_command(device, irp, CMD_READ_CHANNEL, POSITION_SIZE);
  if (result != SUCCESS)
    return result;
  unsigned minute = answered_byte(255), second = answered_byte(255);
  if (device->family == NEC) {
    if (!is_bcd(minute) || !is_bcd(second))
      return IO_ERROR;
    minute = from_bcd(minute);
    second = from_bcd(second);
  }
  if (minute > LAST_MINUTE || second >= SECONDS_PER_MINUTE)
    return IO_ERROR;
  position->minute = minute;
  position->second = second;
  position->frame = 0;
  return SUCCESS;
}

/* --- control codes ---------------------------------------------------------------------------------------------------- */

/* Reads the table of contents of the disc. */
static status fetch_toc(struct device *device, struct irp *irp) {
  status result = send_command(device, irp, CMD_READ_TOC, TOC_SIZE);
  if (result != SUCCESS)
    return result;
  unsigned tracks = answered_byte(255);
  if (tracks == 0 || tracks > 99)
    return IO_ERROR;
  acquire(&device->lock);
  device->tracks = tracks;
  device->toc_is_valid = 1;
  device->verify_needed = 0;
  if (device->play == NO_DISC)
    device->play = STOPPED;
  release(&device->lock);
  return SUCCESS;
}

static status read_toc(struct device *device, struct irp *irp) {
  if (irp->own.length < TOC_SIZE)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  status result = fetch_toc(device, irp);
  return complete(irp, result, result == SUCCESS ? TOC_SIZE : 0);
}

static status play(struct device *device, struct irp *irp) {
  if (irp->own.length < PLAY_SIZE)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  if (!device->toc_is_valid)
    return complete(irp, NOT_READY, 0);
  unsigned track = below_or(99);
  if (track == 0 || track > device->tracks)
    return complete(irp, INVALID_PARAMETER, 0);
  status result = send_command(device, irp, play_command(device), PLAY_SIZE);
  if (result == SUCCESS)
    set_play(device, PLAYING);
  return complete(irp, result, 0);
}

static status pause(struct device *device, struct irp *irp) {
  if (device->play == PAUSED)
    return complete(irp, SUCCESS, 0);
  if (device->play != PLAYING)
    return complete(irp, INVALID_PARAMETER, 0);
  struct position here = {0, 0, 0};
  status result = read_position(device, irp, &here);
  if (result != SUCCESS)
    return complete(irp, result, 0);
  result = pause_drive(device, irp);
  if (result == SUCCESS) {
    acquire(&device->lock);
    device->play = PAUSED;
    device->resume = here;
    device->resume_is_valid = 1;
    release(&device->lock);
  }
  return complete(irp, result, 0);
}

static status resume(struct device *device, struct irp *irp) {
  if (device->play == PLAYING)
    return complete(irp, SUCCESS, 0);
  if (device->play != PAUSED)
    return complete(irp, INVALID_PARAMETER, 0);
  assert(device->resume_is_valid); //~ BUG assertion
  assert(device->resume.second < SECONDS_PER_MINUTE && device->resume.frame < FRAMES_PER_SECOND);
  status result = send_command(device, irp, play_command(device), PLAY_SIZE);
  if (result == SUCCESS)
    set_play(device, PLAYING);
  return complete(irp, result, 0);
}

static status stop(struct device *device, struct irp *irp) {
  status result = stop_drive(device, irp);
  if (result == SUCCESS && device->play != NO_DISC)
    set_play(device, STOPPED);
  return complete(irp, result, 0);
}

static status seek(struct device *device, struct irp *irp) {
  if (irp->own.length < SEEK_SIZE)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  unsigned minute = below_or(255);
  if (minute > LAST_MINUTE)
    return complete(irp, INVALID_PARAMETER, 0);
#ifdef BUG
  /* The saved position is forgotten, but a paused drive stays paused. */
  acquire(&device->lock);
  device->resume_is_valid = 0;
  release(&device->lock);
#endif
  status result = seek_drive(device, irp);
  if (result == SUCCESS && (device->play == PLAYING || device->play == PAUSED)) {
#ifndef BUG
    set_play(device, STOPPED);
#endif
  }
  return complete(irp, result, 0);
}

static status tell_position(struct device *device, struct irp *irp) {
  if (irp->own.length < POSITION_SIZE)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  struct position here;
  if (device->play == PAUSED && device->family == DENON) {
    /* The drive is stopped in truth. */
    here = device->resume;
  } else {
    status result = read_position(device, irp, &here);
    if (result != SUCCESS)
      return complete(irp, result, 0);
  }
  assert(here.minute <= LAST_MINUTE && here.second < SECONDS_PER_MINUTE);
  return complete(irp, SUCCESS, POSITION_SIZE);
}

static status get_volume(struct device *device, struct irp *irp) {
  if (irp->own.length < VOLUME_SIZE)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  if (device->family == DENON)
    return complete(irp, NOT_SUPPORTED, 0);
  status result = send_command(device, irp, CMD_MODE_SENSE, VOLUME_SIZE);
  if (result == SUCCESS)
    device->volume = answered_byte(255);
  return complete(irp, result, result == SUCCESS ? VOLUME_SIZE : 0);
}

static status set_volume(struct device *device, struct irp *irp) {
  if (irp->own.length < VOLUME_SIZE)
    return complete(irp, BUFFER_TOO_SMALL, 0);
  if (device->family == DENON)
    return complete(irp, NOT_SUPPORTED, 0);
  /* The other fields of the page are read first, and written back. */
  status result = send_command(device, irp, CMD_MODE_SENSE, VOLUME_SIZE);
  if (result != SUCCESS)
    return complete(irp, result, 0);
  unsigned volume = below_or(255);
  result = send_command(device, irp, CMD_MODE_SELECT, VOLUME_SIZE);
  if (result == SUCCESS)
    device->volume = volume;
  return complete(irp, result, 0);
}

static status check_verify(struct device *device, struct irp *irp) {
  status result = send_command(device, irp, CMD_TEST_READY, 0);
  if (result == SUCCESS && device->verify_needed)
    result = VERIFY_REQUIRED;
  return complete(irp, result, 0);
}

static status eject(struct device *device, struct irp *irp) {
  if (device->play == PLAYING) {
    status stopped = stop_drive(device, irp);
    if (stopped != SUCCESS)
      return complete(irp, stopped, 0);
    if (device->play == PLAYING)
      set_play(device, STOPPED);
  }
  status result = send_command(device, irp, CMD_EJECT, 0);
  if (result == SUCCESS) {
    acquire(&device->lock);
    device->toc_is_valid = 0;
    release(&device->lock);
    set_play(device, NO_DISC);
  }
  return complete(irp, result, 0);
}

static status control(struct device *device, struct irp *irp) {
  if (!device->started)
    return complete(irp, NOT_READY, 0);
  switch (irp->own.code) {
  case CDROM_READ_TOC:
    return read_toc(device, irp);
  case CDROM_PLAY:
    return play(device, irp);
  case CDROM_PAUSE:
    return pause(device, irp);
  case CDROM_RESUME:
    return resume(device, irp);
  case CDROM_STOP:
    return stop(device, irp);
  case CDROM_SEEK:
    return seek(device, irp);
  case CDROM_READ_POSITION:
    return tell_position(device, irp);
  case CDROM_GET_VOLUME:
    return get_volume(device, irp);
  case CDROM_SET_VOLUME:
    return set_volume(device, irp);
  case CDROM_CHECK_VERIFY:
    return check_verify(device, irp);
  case CDROM_EJECT:
    return eject(device, irp);
  default:
    return skip_to_lower(irp);
  }
}

/* --- the other requests ----------------------------------------------------------------------------------------------- */

static status create(struct device *device, struct irp *irp) {
  if (device->opened == 1)
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

/* Reading data stops the music; most drives do that by themselves. */
static status read_complete(struct device *device, struct irp *irp, void *context) {
  (void)context;
  if (irp->status == VERIFY_REQUIRED) {
    acquire(&device->lock);
    device->verify_needed = 1;
    device->toc_is_valid = 0;
    release(&device->lock);
    set_play(device, NO_DISC);
  }
  leave(device);
  return SUCCESS;
}

static status read(struct device *device, struct irp *irp) {
  if (!device->started)
    return complete(irp, NOT_READY, 0);
  status entered = enter(device);
  if (entered != SUCCESS)
    return complete(irp, entered, 0);
  if (device->play == PLAYING || device->play == PAUSED)
    set_play(device, STOPPED);
  copy_stack_location(irp);
  set_completion(irp, read_complete, NULL);
  return call_lower(irp);
}

static status start_device(struct device *device, struct irp *irp) {
  status result = forward_and_wait(irp);
  if (result != SUCCESS)
    return complete(irp, result, 0);
  switch (below_or(2)) {
  case 0:
    device->family = ATAPI;
    break;
  case 1:
    device->family = DENON;
    break;
  default:
    device->family = NEC;
  }
  device->started = 1;
  /* A disc may be in the drive already; if there is none, that is no failure. */
  fetch_toc(device, irp);
  return complete(irp, SUCCESS, 0);
}

static status pnp(struct device *device, struct irp *irp) {
  switch (irp->own.minor) {
  case PNP_START:
    if (device->started)
      return complete(irp, INVALID_PARAMETER, 0);
    return start_device(device, irp);
  case PNP_STOP:
    device->started = 0;
    device->toc_is_valid = 0;
    set_play(device, NO_DISC);
    return skip_to_lower(irp);
  case PNP_REMOVE:
    acquire(&device->lock);
    device->removed = 1;
    release(&device->lock);
    device->started = 0;
    device->toc_is_valid = 0;
    set_play(device, NO_DISC);
    return skip_to_lower(irp);
  default:
    return skip_to_lower(irp);
  }
}

static status dispatch(struct device *device, struct irp *irp) {
  if (device->removed && irp->own.major != MJ_CLOSE)
    return complete(irp, DELETE_PENDING, 0);
  switch (irp->own.major) {
  case MJ_CREATE:
    return create(device, irp);
  case MJ_CLOSE:
    return close_device(device, irp);
  case MJ_READ:
    return read(device, irp);
  case MJ_DEVICE_CONTROL: {
    status entered = enter(device);
    if (entered != SUCCESS)
      return complete(irp, entered, 0);
    status answer = control(device, irp);
    leave(device);
    return answer;
  }
  case MJ_PNP:
    return pnp(device, irp);
  default:
    return skip_to_lower(irp);
  }
}

/* --- the world around it ---------------------------------------------------------------------------------------------- */

static void check(const struct device *device) {
  assert(!device->lock.held);
  assert(device->play != PAUSED || device->started);
  assert(!device->toc_is_valid || device->tracks > 0);
  assert(!device->removed || !device->started);
  assert(device->opened <= 1);
}

int main(void) {
  static struct device device;
  static struct irp irps[REQUESTS + 1];
  completion_device = &device;
  device.play = NO_DISC;

  prepare(&irps[0], MJ_PNP, PNP_START, 0, 0);
  send_request(dispatch, &device, &irps[0]);

  for (int i = 1; i <= REQUESTS; i++) {
    int major = (int)below_or(MJ_COUNT - 1), minor = 0;
    unsigned code = 0, length = 0;
    if (major == MJ_PNP)
      minor = (int)below_or(PNP_QUERY_CAPABILITIES);
    if (major == MJ_DEVICE_CONTROL) {
      code = below_or(CDROM_CONTROLS);
      length = below_or(32);
    }
    prepare(&irps[i], major, minor, code, length);
    send_request(dispatch, &device, &irps[i]);
    if (flag())
      lower_driver_completes();
    check(&device);
  }

  while (lower_driver_completes())
    continue;
  for (int i = 0; i <= REQUESTS; i++)
    assert(irps[i].state == COMPLETED);
  assert(device.active == 0);
  return 0;
}
