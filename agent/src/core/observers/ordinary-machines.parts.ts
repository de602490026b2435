import { catalogueVersion, matchProcessName } from './catalogue.ts'
import type { RecordedDisplay, RecordedMachine, RecordedProcess, Said } from './ordinary-machines.ts'
import type { Difference } from './types.ts'

/** The keys of a keyboard with letters, and those of a device that has buttons only. */
const lettersToo = '1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe'
const buttonsOnly = 'e520 10000 0 0 0 0'

/** A block of `/proc/bus/input/devices`. */
const block = (bus: string, name: string, handlers: string, keys: string): string =>
  `I: Bus=${bus} Vendor=046d Product=c31c Version=0110\nN: Name="${name}"\nH: Handlers=${handlers}\nB: PROP=0\nB: KEY=${keys}\n\n`

const buses = { usb: '0003', bluetooth: '0005', built_in: '0011', i2c: '0018', power: '0019' } as const
export type RecordedBus = keyof typeof buses

export const keyboard = (bus: RecordedBus, name = 'Keyboard'): string =>
  block(buses[bus], name, 'sysrq kbd event2 leds', lettersToo)
export const mouse = (bus: RecordedBus, name = 'Mouse'): string =>
  block(buses[bus], name, 'mouse0 event5', 'ff0000 0 0 0 0')
/** A device with buttons, such as those of a headset: the system calls it a keyboard, and it has no letters. */
export const buttons = (bus: RecordedBus, name: string): string => block(buses[bus], name, 'kbd event9', buttonsOnly)
/** A pen that moves the pointer. */
export const pen = (name: string): string => block(buses.usb, name, 'mouse1 event8', '1c01 0 70000 0 0 0 0')

/** The beginning of an EDID: eight bytes that each has, and the maker's letters. */
const edidOf = { BOE: '00ffffffffffff0009e5', DEL: '00ffffffffffff0010ac', GSM: '00ffffffffffff001e6d', none: '' }
export type Maker = keyof typeof edidOf
export const connected = (maker: Maker) => ({ status: 'connected' as const, edid: edidOf[maker] })
const disconnected = { status: 'disconnected' as const, edid: '' }

export const display = (id: string, x: number, width: number, height: number, primary = false): RecordedDisplay => ({
  id,
  x,
  y: 0,
  width,
  height,
  primary,
})

/** A process by its program file; its number follows from that and is greater than any that a Linux computer gives. */
export const runs = (exe: string, more: Partial<RecordedProcess> = {}): RecordedProcess => ({
  pid: Buffer.from(exe).reduce((sum, byte) => sum + byte, 5_000_000),
  comm: exe.slice(exe.lastIndexOf('/') + 1).slice(0, 15),
  exe,
  ...more,
})

export const builtInMicrophone = { name: 'alsa_input.analog', description: 'Built-in Audio Analog Stereo' }
const builtInSpeakers = { name: 'alsa_output.analog', description: 'Built-in Speakers' }
export const builtInMonitor = {
  name: 'alsa_output.analog.monitor',
  description: 'Monitor of Built-in Speakers',
  monitorOf: builtInSpeakers.name,
}
const camera = 'Integrated Camera'

/** A stream that a program records. */
export const records = (
  source: { name: string },
  process: RecordedProcess,
  name: string,
  more: { peaksOnly?: boolean } = {},
) => ({
  source: source.name,
  properties: { 'application.name': name, 'application.process.id': String(process.pid) },
  ...more,
})

const innerDisplay = display('eDP-1', 0, 1920, 1080, true)
export const laptopInput = [
  buttons('power', 'Power Button'),
  keyboard('built_in', 'AT Translated Set 2 keyboard'),
  mouse('i2c', 'Touchpad'),
].join('')

const looks = [1, 2, 3, 4, 5, 6, 7, 8]

/** A laptop with nothing plugged in, on which the agent runs and a file manager. */
export const laptop: RecordedMachine = {
  displays: [innerDisplay],
  sockets: { 'card0-eDP-1': connected('BOE'), 'card0-HDMI-A-1': disconnected },
  inputDevices: laptopInput,
  processes: [runs('/usr/lib/systemd/systemd'), runs('/usr/bin/nautilus')],
  sound: { sink: builtInSpeakers, sources: [builtInMicrophone, builtInMonitor], streams: [] },
  files: {
    '/proc/cpuinfo': 'flags\t\t: fpu sse avx\n',
    '/sys/class/dmi/id/sys_vendor': 'LENOVO\n',
    '/sys/class/dmi/id/product_name': 'ThinkPad X1\n',
    '/sys/class/video4linux/video0/name': `${camera}\n`,
  },
  env: {},
  input: { seconds: 60, synthetic: 0, hardwareSeconds: 40 },
  camera: looks.map((look) => ({ mark: `noise ${look}`, varies: true })),
}

export const saysDisplay = (value: RecordedDisplay): Difference => ({ kind: 'display.added', value })
export const saysDevice = (kind: 'camera' | 'microphone' | 'sound_monitor', name: string): Difference => ({
  kind: 'device.added',
  value: { kind, name, listed: null },
})
export const saysOutput = (name: string): Difference => ({ kind: 'output.changed', value: { name } })

/** A program of the published list, by the name of the process that matched. */
export const saysProgram = (process: string): Difference => {
  const entry = matchProcessName(process)
  if (!entry) throw new Error(`no program of the list runs as ${process}`)
  const { program, kind } = entry
  return { kind: 'process.matched', value: { program, kind, process, catalogueVersion } }
}
type Listened = Extract<Difference, { kind: 'listener.started' }>['value']
export const saysListener = (
  program: string,
  process: string,
  of: Listened['of'],
  device: string = { microphone: builtInMicrophone.description, speakers: builtInMonitor.description, camera }[of],
): Difference => ({ kind: 'listener.started', value: { program, process, of, device } })

type Counted = Extract<Difference, { kind: 'hid.changed' }>['value'][number]
export const one = (kind: Counted['kind'], bus: Counted['bus'], count = 1): Counted => ({ kind, bus, count })
export const saysInput = (...value: Counted[]): Difference => ({ kind: 'hid.changed', value })
type Identified = Extract<Difference, { kind: 'display.identified' }>['value'][number]
export const saysIdentities = (...value: Identified[]): Difference => ({ kind: 'display.identified', value })

/** A camera that gives one and the same picture. */
export const stillCamera = (varies: boolean): RecordedMachine['camera'] => looks.map(() => ({ mark: 'one', varies }))
export const saysUnchanged = (singleColour: boolean): Difference => ({
  kind: 'picture.unchanged_started',
  value: { lane: 'camera', singleColour, unchangedMs: 60_000 },
})

export const innerIdentity: Identified = { display: 'eDP-1', connection: 'eDP', maker: 'BOE' }
export const laptopDevices: readonly Difference[] = [
  saysDevice('camera', camera),
  saysDevice('microphone', builtInMicrophone.description),
  saysDevice('sound_monitor', builtInMonitor.description),
]

/** What is said of the laptop, whatever runs on it. */
export const laptopSays: Said = {
  displays: [saysDisplay(innerDisplay)],
  display_identity: [saysIdentities(innerIdentity)],
  hid: [saysInput(one('keyboard', 'built_in'), one('pointer', 'built_in'))],
  devices: laptopDevices,
  output_devices: [saysOutput(builtInSpeakers.description)],
}
