import type { ObserverName } from '@integrity/protocol'
import type { ObserverReasons } from './types.ts'

const tests = 'agent/src/machine/observers'
const core = 'agent/src/core/observers'

/**
 * For each observer everyday reasons for what it tells, and what was measured of it on Linux, by which test. The ways of
 * macOS and Windows are tested with recorded answers only, which the page says once.
 */
export const observerReasons = {
  displays: {
    harmless: [
      'A laptop is put into its dock or taken out of it.',
      'A display wakes up from standby or goes into it.',
      'The candidate changes size or arrangement in the settings.',
    ],
    measured: `The observer reports a display that is added to a real X server once, together with the displays that were there before (${tests}/observers.real.test.ts).`,
  },
  foreground: {
    harmless: [
      'The candidate looks at the task, at notes that are allowed, or at the meeting.',
      'A notice of a program, of the calendar or of the system comes to the front by itself.',
      'The candidate turns the sound up or down in the settings.',
    ],
    measured: `On a real X server with a window manager: the name at each change, no title unless asked for, few questions and the last window of 3000 quick changes, a gap where the connection is lost (${tests}/foreground-x11.real.test.ts, observers.real.test.ts).`,
  },
  idle: {
    harmless: [
      'The candidate listens, thinks, reads or speaks.',
      'The candidate writes on paper or draws on a board.',
      'The candidate uses the computer by voice.',
    ],
    measured: `On a real X server: one pause and the first touch after it (${tests}/observers.real.test.ts).`,
  },
  screen_lock: {
    harmless: [
      'The screen locks by itself after a time without input.',
      'The candidate takes an agreed break and locks the screen, as many employers ask.',
    ],
    measured: `With answers of loginctl that a script gives: locked and unlocked once each, a gap for an answer that cannot be read (${tests}/observers.real.test.ts). Not measured on a desktop that locks.`,
  },
  sleep: {
    harmless: ['The lid of a laptop was closed by mistake.', 'The battery was empty.', 'The computer saves power.'],
    measured: `With recorded times of the two clocks: the length of a sleep (${tests}/platform-observers.test.ts). Not measured on a computer that sleeps.`,
  },
  network: {
    harmless: [
      'Wi-Fi loses its connection and finds it again.',
      'A cable is plugged in, or a phone lends its connection.',
      'A connection to the employer or the school begins or ends by itself.',
    ],
    measured: `With made-up lists of interfaces: the observer reports an interface that comes once, without its address (${core}/observer-set.test.ts). Not measured on a network that changes.`,
  },
  processes: {
    harmless: [
      'The interview itself takes place in a meeting program.',
      'Programs for remote help are installed by employers and schools, and start with the computer.',
      'Recording and virtual cameras are used for teaching and for calls.',
    ],
    measured: `The observer reports the start and the end of a listed program on this system once each, and no other program (${tests}/observers.real.test.ts); names of processes that change or end (process-lists.test.ts).`,
  },
  virtual_machine: {
    harmless: [
      'Employers and schools hand out virtual desktops.',
      'Security features of an operating system run it on a hypervisor.',
    ],
    measured: `With recorded files of a virtual machine and of a laptop: the hints of the one and none of the other (${tests}/observers.real.test.ts, ordinary-machines.test.ts).`,
  },
  clock: {
    harmless: [
      'The network puts the clock right.',
      'The computer woke up from sleep.',
      'The candidate corrects a clock that was wrong.',
    ],
    measured: `With a clock that the test moves: jumps forwards and back, and neither drift nor sleep (${core}/observer-set.test.ts). Not measured on a computer whose clock is set.`,
  },
  devices: {
    harmless: [
      'A headset is plugged in, switched on, or its battery is empty.',
      'A dock brings a camera and a microphone of its own.',
      'Meeting programs and headsets install virtual sound devices.',
    ],
    measured: `The observer reports that a microphone comes to and leaves a real sound server, once each, with its name (${tests}/observers.real.test.ts).`,
  },
  clipboard: {
    harmless: [
      'The candidate moves their own text or code from one place to another.',
      'A password manager or a clipboard manager uses it.',
      'The task asks for copying.',
    ],
    measured: `On a real X server: every use counts once, selecting a text and the end of a program count nothing, and no content is read (${tests}/observers.real.test.ts).`,
  },
  excluded_windows: {
    harmless: [
      'Password managers and banking programs protect their windows by default.',
      'Films that are protected against copying cannot be recorded.',
      'A meeting program leaves its own windows out of what it shares.',
    ],
    measured: `With recorded lines of macOS and Windows only (${tests}/platform-observers.test.ts); Linux has nothing to measure.`,
  },
  listeners: {
    harmless: [
      'A meeting program that is not linked to this interview has microphone and camera.',
      'A meeting program shares the sound of this computer with the others.',
      'A settings window shows the picture of the camera, or a program improves the sound.',
    ],
    measured: `On a real sound server: the observer reports a program that records the speakers for 20 s once, with a length of 20 s ± 1 s, and never our own recorder, a level meter or the program of the linked call (${tests}/listeners.real.test.ts). The camera: with recorded files (ordinary-machines.test.ts).`,
  },
  output_devices: {
    harmless: [
      'A headset is put on, taken off, or its battery is empty.',
      'A dock or a display with speakers is plugged in.',
      'The candidate chooses other speakers to hear better.',
    ],
    measured: `On a real sound server: the name at the start, and the name of the device that takes its place (${tests}/output-devices.real.test.ts).`,
  },
  hid: {
    harmless: [
      'A keyboard and a mouse stand beside the laptop, or are in its dock.',
      'A receiver, a drawing tablet, a headset with buttons or a security key counts as a keyboard or a mouse.',
      'A switch box or an empty battery takes a keyboard away.',
    ],
    measured: `With recorded lists of a laptop, a receiver, a headset, a tablet and a dock: counts by connection, without names (${tests}/machine-facts.test.ts, ordinary-machines.test.ts). Not measured with real keyboards.`,
  },
  display_identity: {
    harmless: [
      'A desk has a display of its own, which stands on the table.',
      'A dock or an adapter gives another socket than the display has.',
      'A television is used as a display.',
    ],
    measured: `With recorded files of displays that were plugged in: socket and maker, no serial number (${tests}/machine-facts.test.ts, ordinary-machines.test.ts). Not measured with real displays.`,
  },
  remote_session: {
    harmless: [
      'The employer or the school gives virtual desktops, and the candidate sits at another computer.',
      'Somebody helps with the computer, as agreed.',
      'A server for remote desktops runs all the time on a computer that is used from two places.',
    ],
    measured: `With recorded names of processes, settings of the session: start and end, and no address (${tests}/machine-facts.test.ts, ordinary-machines.test.ts). The answer of loginctl, and a desktop that is shown elsewhere, were not measured.`,
  },
  input_origin: {
    harmless: [
      'A program sends keys for a person who cannot use a keyboard or does not want to.',
      'A text expander or a password manager types a stored text.',
      'Somebody helps from another computer, as agreed.',
    ],
    measured: `On a real X server: fifty keys of xdotool are 50 synthetic keys and no second of a keyboard, and no key comes over our connection (${tests}/input-origin.real.test.ts). Not measured with a real keyboard.`,
  },
  picture_unchanged: {
    harmless: [
      'The camera is covered by its shutter or by a sticker, and gives plain black.',
      'The room is dark or all of one colour, and the noise of the camera is weaker than what a JPEG keeps.',
      'The driver of the camera hangs and gives its last picture again and again.',
      'A meeting program or a virtual camera shows a picture in the place of the camera.',
    ],
    measured: `With made-up looks: a minute of one picture, its end and its length, and nothing of pictures that differ or of a pause (${tests}/picture-unchanged.test.ts, ordinary-machines.test.ts); with ffmpeg that reads files in place of a camera, of one picture, of a gray wall with noise, and a film; plain gray with noise of one step counts as unchanged and of a single colour (picture-unchanged.real.test.ts). Not measured with a real camera: that its noise makes all pictures differ is an assumption.`,
  },
} as const satisfies Record<ObserverName, ObserverReasons>
