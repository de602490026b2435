import type { ObserverName } from '@integrity/protocol'
import type { ObserverWays } from './types.ts'

const second = 1000
const notAsked = (what: string, system: string) => ({
  why: `${what} cannot be seen here: this program does not ask ${system} for it.`,
})

/** The pictures that the lane of the camera looks at, told apart by `method`. */
const picturesBy = (method: string) => ({
  method,
  intervalMs: 10 * second,
  cost: 'a checksum of each picture that the recording looks at anyway, often more than one in that time; none is taken for it',
  blind:
    'times in which no camera is recorded; a device that adds noise or the time to one picture, or plays a film over and over; less than a minute, and a change between two looks; why the picture stays the same',
})

/** Rows of the table of observers for what listens, speaks and types. */
export const newerObservers = {
  listeners: {
    reads:
      'Which programs record the microphone, what the speakers play, or a camera: the name of the program and of the device, and for how long. Never what they record. Left out: this recording, the program of the linked video call, level meters, and programs that help a person to read, hear or write.',
    linux: {
      method: 'PulseAudio: source outputs, asked at each change; /proc/*/fd of /dev/video*',
      intervalMs: 15 * second,
      cost: 'two small questions at each change of sound; where there is a camera, the open files of this user each time',
      blind:
        'a program under another name, in the browser of the call, or behind a virtual microphone; who takes pictures of the screen on X11, which tells nobody; a camera that is used for less than fifteen seconds; a program in a box of its own goes by the name that it gives itself',
    },
    darwin: { why: 'Which programs record cannot be seen here: this program does not ask macOS for it.' },
    win32: { why: 'Which programs record cannot be seen here: this program does not ask Windows for it.' },
  },
  output_devices: {
    reads: 'The name of the speakers or the headset that sound is played by, and when that changes.',
    linux: {
      method: 'PulseAudio: name of the default sink, asked at each change',
      intervalMs: 0,
      cost: 'two small questions at each change of sound',
      blind:
        'a program that plays elsewhere than by default; a virtual device with the name of a real one; who hears it',
    },
    darwin: notAsked('The device that plays sound', 'macOS'),
    win32: notAsked('The device that plays sound', 'Windows'),
  },
  hid: {
    reads:
      'How many keyboards and mice there are, and by what each is connected. No names, no serial numbers, no keys.',
    linux: {
      method: '/proc/bus/input/devices: bus and handlers',
      intervalMs: 15 * second,
      cost: 'one small file each time',
      blind:
        'who uses them; a switch box, a receiver or a phone that counts as a keyboard; a device that comes and goes between two looks; a device without a name of a bus of its own',
    },
    darwin: notAsked('How many keyboards and mice there are', 'macOS'),
    win32: notAsked('How many keyboards and mice there are', 'Windows'),
  },
  display_identity: {
    reads: 'By which socket each display is connected, and the three letters of its maker. No model, no serial number.',
    linux: {
      method: '/sys/class/drm/*: status, bytes 8 and 9 of edid',
      intervalMs: 15 * second,
      cost: 'two small files for each socket each time',
      blind:
        'a display without EDID; a capture card or splitter that repeats what another display says; displays of a dock with a driver of its own',
    },
    darwin: notAsked('Socket and maker of displays', 'macOS'),
    win32: notAsked('Socket and maker of displays', 'Windows'),
  },
  remote_session: {
    reads:
      'Whether this desktop itself is shown on another computer: what the system says, and which known program serves it.',
    linux: {
      method: 'loginctl: Remote of the session; /proc: names of servers of VNC and RDP; XRDP_SESSION, SSH_CONNECTION',
      intervalMs: 15 * second,
      cost: 'a program of 6 ms and the names of processes each time',
      blind:
        'sharing by a meeting or a remote control program, which `processes` tells of; a server under another name, or that only waits; a cable that carries the picture away',
    },
    darwin: notAsked('Whether the desktop is shown on another computer', 'macOS'),
    win32: notAsked('Whether the desktop is shown on another computer', 'Windows'),
  },
  input_origin: {
    reads:
      'How many keys programs sent in a minute, and for how many seconds of it a keyboard was used. Told only of minutes in which programs sent any. Never which keys, and never their rhythm.',
    linux: {
      method: 'X11: SYNC alarms on the idle time of the XTEST keyboard; idle times of keyboards every 5 s',
      intervalMs: 60 * second,
      cost: 'a small question for each keyboard every 5 s; a message of 44 bytes for each press and release of a synthetic key',
      blind:
        'everything on Wayland; keys sent within one thousandth of a second, which count once; a program or a device that the system takes for a keyboard; the pointer; what was typed',
    },
    darwin: notAsked('Keys that programs send', 'macOS'),
    win32: notAsked('Keys that programs send', 'Windows'),
  },
  picture_unchanged: {
    reads:
      "Whether the camera's picture stays exactly the same for a minute or more: since when, for how long, and whether it is of a single colour. A camera has noise, so that its pictures differ also of an empty room. Never what the picture shows. It speaks of the camera alone: a screen that stands still is an ordinary page that is read. Where an interview without camera was agreed, it is off.",
    linux: picturesBy('SHA-256 of each picture (JPEG) of the camera'),
    darwin: picturesBy('288 mean colours of each picture of the camera'),
    win32: picturesBy('288 mean colours of each picture of the camera'),
  },
} as const satisfies Partial<Record<ObserverName, ObserverWays>>
