import * as z from 'zod'

/** What watches the computer, one observer for each thing. An older or newer agent may have others. */
export const observerNames = [
  'displays',
  'foreground',
  'idle',
  'screen_lock',
  'sleep',
  'network',
  'processes',
  'virtual_machine',
  'clock',
  'devices',
  'clipboard',
  'excluded_windows',
  'listeners',
  'output_devices',
  'hid',
  'display_identity',
  'remote_session',
  'input_origin',
  'picture_unchanged',
] as const
export type ObserverName = (typeof observerNames)[number]

/** What an observation tells: who saw it and how, and what was seen. */
const seen = <Value extends z.ZodType>(value: Value) =>
  z.object({
    observerVersion: z.number().int(),
    method: z.string(),
    value,
    /** What held when observing began. */
    baseline: z.unknown().optional(),
    /** True when it was so before observing began. */
    sinceBeforeSession: z.boolean().optional(),
  })

/** A kind that an observer reports; it needs the candidate's consent to the signals. */
const observation = <Value extends z.ZodType>(observer: ObserverName, sentence: string, value: Value) => ({
  sentence,
  observer,
  lane: 'signals' as const,
  aboutRecording: false as const,
  read: false as const,
  data: seen(value),
})

/** What a program of the published list is for. Being listed says nothing about why it runs. */
export const programKinds = [
  'remote_control',
  'meeting',
  'screen_recording',
  'virtual_camera',
  'virtual_sound',
] as const
export type ProgramKind = (typeof programKinds)[number]
/** What a device of the published list is for. Being listed says nothing about why it is there. */
export const listedDeviceKinds = ['virtual_camera', 'virtual_microphone', 'virtual_sound'] as const
export type ListedDeviceKind = (typeof listedDeviceKinds)[number]
/** Devices that are told of by their names. */
export const mediaDeviceKinds = ['camera', 'microphone', 'sound_monitor'] as const
export type MediaDeviceKind = (typeof mediaDeviceKinds)[number]

/** What a program can listen to. */
export const listenedTo = ['microphone', 'speakers', 'camera'] as const
export type ListenedTo = (typeof listenedTo)[number]

/** What keyboards and pointers are connected by. */
export const inputBuses = ['usb', 'bluetooth', 'built_in', 'virtual', 'other'] as const
export type InputBus = (typeof inputBuses)[number]

const box = { x: z.number(), y: z.number(), width: z.number(), height: z.number() }
const display = z.object({
  id: z.string(),
  ...box,
  primary: z.boolean(),
  name: z.string().optional(),
  scaleFactor: z.number().optional(),
  internal: z.boolean().optional(),
})
const inFront = z.object({
  application: z.string().nullable(),
  /** macOS only. */
  bundleId: z.string().nullish(),
  /** Only where the policy asks for it and the candidate agreed. */
  title: z.string().nullish(),
})
const idle = z.object({ idleMs: z.number() })
const lock = z.object({ locked: z.boolean().nullable() })
const listedProgram = z.object({
  program: z.string(),
  kind: z.enum(programKinds),
  process: z.string(),
  catalogueVersion: z.number().int(),
})
const device = z.object({
  kind: z.enum(mediaDeviceKinds),
  name: z.string(),
  /** The entry of the published list that the name matches. */
  listed: z
    .object({
      device: z.string(),
      kind: z.enum(listedDeviceKinds),
      listVersion: z.number().int(),
    })
    .nullable(),
})
const listener = z.object({
  /** What the program calls itself. */
  program: z.string(),
  /** Its process, where the system names it. */
  process: z.string().nullable(),
  of: z.enum(listenedTo),
  device: z.string().nullable(),
})
const inputDevices = z.object({
  kind: z.enum(['keyboard', 'pointer']),
  bus: z.enum(inputBuses),
  count: z.number().int(),
})
const displayIdentity = z.object({
  display: z.string(),
  /** The socket: HDMI, DP, eDP … */
  connection: z.string(),
  /** Three letters that stand for the maker; null where the display does not say. */
  maker: z.string().nullable(),
})
/** The program or the system's own word that shows this desktop elsewhere. */
const remoteSession = z.object({ from: z.string(), value: z.string() })
/** A lane whose pictures are all the same. */
const unchangedPicture = z.object({
  lane: z.literal('camera'),
  /** Whether the picture is of one colour alone, as behind a shutter. */
  singleColour: z.boolean(),
})
const excludedWindow = z.object({ application: z.string().nullable(), bounds: z.object(box) })

/** What the observers report, in the words the candidate is shown. */
export const observations = {
  'display.added': observation('displays', 'A display was connected; its name, place and size are noted.', display),
  'display.removed': observation('displays', 'A display was disconnected.', display),
  'display.changed': observation('displays', 'The arrangement or size of the displays changed.', display),
  'foreground.changed': observation('foreground', 'Another program came to the front; its name is noted.', inFront),
  'idle.started': observation('idle', 'No keyboard or mouse input for a while.', idle),
  'idle.ended': observation('idle', 'Keyboard or mouse input again.', idle),
  'screen.locked': observation('screen_lock', 'The screen was locked.', lock),
  'screen.unlocked': observation('screen_lock', 'The screen was unlocked.', lock),
  'power.suspended': observation('sleep', 'The computer went to sleep.', z.object({})),
  'power.resumed': observation(
    'sleep',
    'The computer woke up; how long it slept is noted.',
    z.object({ asleepMs: z.number().nullable() }),
  ),
  'network.changed': observation(
    'network',
    'The network connection changed; the names of the connections are noted, never addresses.',
    z.array(z.object({ interface: z.string(), families: z.array(z.string()) })),
  ),
  'process.matched': observation('processes', 'A program of the published list was running.', listedProgram),
  'process.ended': observation('processes', 'A program of the published list stopped.', listedProgram),
  'device.added': observation(
    'devices',
    'A camera or sound device was connected; its name is noted, and the entry of the published list of virtual devices that it matches.',
    device,
  ),
  'device.removed': observation('devices', 'A camera or sound device was disconnected.', device),
  'clipboard.used': observation(
    'clipboard',
    'The clipboard was used; how often is noted, never what was in it.',
    z.object({ times: z.number().nullable() }),
  ),
  'window.exclusion_started': observation(
    'excluded_windows',
    "A program keeps one of its windows out of recordings; the program's name and the window's place are noted.",
    excludedWindow,
  ),
  'window.exclusion_ended': observation(
    'excluded_windows',
    'A window that was kept out of recordings is gone, or can be recorded again; how long it was so is noted.',
    excludedWindow.extend({ durationMs: z.number() }),
  ),
  'listener.started': observation(
    'listeners',
    'A program began to record the microphone, the camera or what the computer plays; the names of program and device are noted, never what was recorded.',
    listener,
  ),
  'listener.ended': observation(
    'listeners',
    'A program no longer records; how long it did is noted.',
    listener.extend({ durationMs: z.number() }),
  ),
  'output.changed': observation(
    'output_devices',
    'Sound is played by another device than before; its name is noted.',
    z.object({ name: z.string().nullable() }),
  ),
  'hid.changed': observation(
    'hid',
    'Keyboards and mice were connected or disconnected; how many there are and by what they are connected is noted.',
    z.array(inputDevices),
  ),
  'display.identified': observation(
    'display_identity',
    'The displays say their socket and their maker; never a serial number.',
    z.array(displayIdentity),
  ),
  'remote_session.started': observation(
    'remote_session',
    'This desktop is shown on another computer; what says so is noted.',
    remoteSession,
  ),
  'remote_session.ended': observation(
    'remote_session',
    'This desktop is no longer shown on another computer.',
    remoteSession,
  ),
  'input.origin': observation(
    'input_origin',
    'Programs sent keys; how many, and for how many seconds a keyboard was used in that minute, is noted, never which keys.',
    z.object({ seconds: z.number(), synthetic: z.number().int(), hardwareSeconds: z.number() }),
  ),
  'picture.unchanged_started': observation(
    'picture_unchanged',
    "The camera's picture stays exactly the same for a minute; for how long, and whether it is of a single colour, is noted, never what it shows.",
    unchangedPicture.extend({ unchangedMs: z.number() }),
  ),
  'picture.unchanged_ended': observation(
    'picture_unchanged',
    "The time in which the camera's picture stayed exactly the same is over; how long it was is noted.",
    unchangedPicture.extend({ durationMs: z.number() }),
  ),
  'vm.hint': observation(
    'virtual_machine',
    'The computer looks like a virtual machine.',
    z.object({ from: z.string(), value: z.string() }),
  ),
  'clock.jumped': observation('clock', "The computer's clock was changed.", z.object({ jumpMs: z.number() })),
}

export type ObservationKind = keyof typeof observations
/** What was seen, without who saw it and how. */
export type ObservationValue<Kind extends ObservationKind> = z.input<(typeof observations)[Kind]['data']>['value']
