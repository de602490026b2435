import type { ObserverName } from '@integrity/protocol'
import type { ObserverEntry } from './types.ts'

const second = 1000

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
} as const satisfies Partial<Record<ObserverName, ObserverEntry>>
