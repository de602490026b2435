import { observerReasons } from './observer-table.reasons.data.ts'
import { ordinaryMachines } from './ordinary-machines.data.ts'
import { type OrdinaryMachine, observersOffOf, type SetUpObserver, setUpObservers } from './ordinary-machines.ts'
import type { Difference } from './types.ts'

type ValueOf<Kind extends Difference['kind']> = Extract<Difference, { kind: Kind }>['value']

const buses: Readonly<Record<string, string>> = {
  usb: 'by USB',
  bluetooth: 'by Bluetooth',
  built_in: 'built in',
  virtual: 'virtual',
  other: 'connected otherwise',
}
const deviceKinds = { camera: 'camera', microphone: 'microphone', sound_monitor: 'sound source' } as const
const listenedTo = { microphone: 'the microphone', speakers: 'what is played', camera: 'the camera' } as const

const devicesInWords = (devices: ValueOf<'hid.changed'>): string => {
  const names = { keyboard: ['keyboard', 'keyboards'], pointer: ['pointer', 'pointers'] } as const
  const counted = devices.map(({ kind, bus, count }) => `${count} ${names[kind][count === 1 ? 0 : 1]} ${buses[bus]}`)
  return counted.join(', ') || 'no keyboard and no pointer'
}

const identitiesInWords = (displays: ValueOf<'display.identified'>): string =>
  displays.map(({ display, maker }) => `${display}: ${maker === null ? 'says no maker' : `maker ${maker}`}`).join(', ')

/** What an observer says, in words. @throws Error for what no set-up of the table makes it say */
const inWords = ({ kind, value }: Difference): string => {
  if (kind === 'display.added') return `${value.id}, ${value.width} × ${value.height}`
  if (kind === 'display.identified') return identitiesInWords(value)
  if (kind === 'hid.changed') return devicesInWords(value)
  if (kind === 'device.added') return `${deviceKinds[value.kind]} "${value.name}"`
  if (kind === 'output.changed') return `"${value.name}" plays`
  if (kind === 'listener.started') return `${value.program} records ${listenedTo[value.of]} ("${value.device}")`
  if (kind === 'process.matched') return `${value.program} runs`
  if (kind === 'remote_session.started') return `${value.from}: ${value.value}`
  if (kind === 'vm.hint') return `${value.from}: ${value.value}`
  if (kind === 'picture.unchanged_started')
    return `the picture stays the same${value.singleColour ? ', of a single colour' : ''}`
  if (kind !== 'input.origin') throw new Error(`there are no words for ${kind}`)
  const keyboard =
    value.hardwareSeconds === 0 ? 'no keyboard was used' : `a keyboard was used in ${value.hardwareSeconds} s of it`
  return `in ${value.seconds} s programs sent ${value.synthetic} keys; ${keyboard}`
}

const [laptopAlone] = ordinaryMachines
const likeLaptop = 'as the laptop'
const wordsOf = ({ says }: OrdinaryMachine, observer: SetUpObserver): string =>
  (says[observer] ?? []).map(inWords).join('; ') || 'nothing'

const cellOf = (ordinary: OrdinaryMachine, observer: SetUpObserver): string => {
  if (observersOffOf(ordinary).includes(observer)) return 'off, as agreed'
  const words = wordsOf(ordinary, observer)
  const isAsAlone = laptopAlone && ordinary !== laptopAlone && words === wordsOf(laptopAlone, observer)
  return isAsAlone && words !== 'nothing' ? likeLaptop : words
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const head = ['set-up', ...setUpObservers.map((name) => `\`${name}\``)]
const others = Object.keys(observerReasons).filter((name) => !setUpObservers.some((one) => one === name))

/** The page of ordinary machines: each set-up, and what each observer says of it. */
export const ordinaryMachinesPage = (): string => `# Ordinary machines

What the observers say of ${ordinaryMachines.length} plain set-ups on Linux when observing begins. A test gives the recorded answers of each computer to
the observers and demands exactly this (\`agent/src/machine/observers/ordinary-machines.test.ts\`); the answers are in
\`agent/src/core/observers/ordinary-machines.data.ts\` and beside it. They were written from the formats of Linux, X11 and
PulseAudio; they are not copies of somebody's computer.

What is said at the beginning is no moment of the report: it is under \`atStart\`. Keys that programs send are counted by the
minute; the table shows one minute. The camera's pictures are compared over a little more than a minute. Nothing is concluded from any of it.

No observer names a program that helps a person to read, hear, speak or write, as far as its name is known
(\`agent/src/core/observers/helping-programs.data.ts\`). Two things can still be seen without its name: keys that a program sends are
counted as such, and a program that records for another one is named as what it is. An aid that was declared and agreed switches
the observers off that it would make meaningless.

Not in the table, because they tell of what happens on a computer and not of how it is set up: ${others.map((name) => `\`${name}\``).join(', ')}.

## The set-ups

${ordinaryMachines.map(({ name, about }) => `- **${name}.** ${about}`).join('\n')}

## What observers say of them

"${likeLaptop}" is what the first row says: a laptop with nothing plugged in.

${[
  row(head),
  row(head.map(() => '---')),
  ...ordinaryMachines.map((one) => row([one.name, ...setUpObservers.map((observer) => cellOf(one, observer))])),
].join('\n')}
`
