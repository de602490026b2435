import { type ListedDeviceKind, observerNames, type ProgramKind } from '@integrity/protocol'
import { catalogueVersion, programCatalogue } from './catalogue.ts'
import { deviceList, deviceListVersion } from './device-catalogue.ts'
import { observerEntry } from './observer-table.ts'
import { ordinaryMachinesPage } from './ordinary-machines-page.ts'
import type { NotObservable, ObserverWay } from './types.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

const systems = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' } as const
const systemNames = Object.keys(systems) as (keyof typeof systems)[]

const often = (intervalMs: number): string => (intervalMs === 0 ? 'at each change' : `every ${intervalMs / 1000} s`)

const wayRow = (where: string, way: ObserverWay | NotObservable): string[] =>
  'why' in way
    ? [where, 'not observable', '', '', way.why]
    : [where, way.method, often(way.intervalMs), way.cost, way.blind]

const section = (name: (typeof observerNames)[number]): string => {
  const { reads, shell, harmless, measured, ...ways } = observerEntry(name)
  const rows = systemNames.map((system) => wayRow(systems[system], ways[system]))
  const on = shell ? `desktop application (${shell.on.map((system) => systems[system]).join(', ')})` : ''
  const all = shell ? [wayRow(on, shell), ...rows] : rows
  const looks = table(['where', 'how', 'how often', 'cost', 'what it cannot see'], all)
  const reasons = harmless.map((reason) => `- ${reason}`).join('\n')
  return `## \`${name}\`\n\n${reads}\n\n${looks}\n\nHarmless reasons:\n\n${reasons}\n\nHow measured: ${measured}\n`
}

const observersPage = (): string => `# Observers

What the agent looks at besides the recording, on each system. The desktop application, where it runs, is told of more than a
plain program is; its row then stands for the system's own. An observer that can see nothing on a computer is a line in that
computer's capability list, which the candidate reads before consent and every report carries: silence is never "nothing
happened". Every observation carries the observer's version, how it looked, the raw value and how things were when observing
began. Nothing is concluded from any of it.

The ways of macOS and Windows are written from their makers' documentation and tested with recorded answers; they have not been
run on those systems. "How measured" names what was measured on Linux, and the test that does it at every change of this
project. What an observer costs by itself is not measured; docs/benchmarks.md measures the agent with all of them.

${observerNames.map(section).join('\n')}`

const programKinds = {
  remote_control: 'Remote control',
  meeting: 'Meetings, calls and screen sharing',
  screen_recording: 'Recording of the screen',
  virtual_camera: 'Virtual cameras',
  virtual_sound: 'Virtual sound',
} as const satisfies Record<ProgramKind, string>

const deviceKinds = {
  virtual_camera: 'Virtual cameras',
  virtual_microphone: 'Virtual microphones',
  virtual_sound: 'Virtual sound devices',
} as const satisfies Record<ListedDeviceKind, string>

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ')

const programTables = Object.entries(programKinds).map(([kind, title]) => {
  const rows = programCatalogue
    .filter((entry) => entry.kind === kind)
    .map((entry) => [entry.program, names(entry.processes)])
  return `### ${title}\n\n${table(['program', 'names of its processes'], rows)}\n`
})

const deviceTables = Object.entries(deviceKinds).map(([kind, title]) => {
  const rows = deviceList.filter((entry) => entry.kind === kind).map((entry) => [entry.device, names(entry.names)])
  return `### ${title}\n\n${table(['device', 'its name contains'], rows)}\n`
})

const programsPage = (): string => `# Programs and devices by name

Two lists, compared on the candidate's computer. Being on a list says nothing about why a program runs or a device is there:
people meet, record, and improve their picture with them every day.

## Programs

Version ${catalogueVersion}. A process matches when its whole name is one of these, whatever its case and without \`.exe\`. Only matches
are sent: the program, the name that matched, and the version of the list. The names of all other programs stay on the computer.

${programTables.join('\n')}
## Cameras and sound devices

Version ${deviceListVersion}. The names of cameras and microphones are sent as the system gives them; with a name that contains one of these
words goes the entry of this list.

${deviceTables.join('\n')}`

const neverPage = (): string => `# What is never observed

Nothing in this list is observed, on any system, whatever a policy asks for. No observer, no lane and no moment is about it.

| what | why not |
| --- | --- |
| where a person looks | eyes move by themselves, and move otherwise for many people |
| faces: whose, and what they show | pictures are recorded where that was agreed; nobody is recognised or compared |
| feelings | nobody can read them from a picture or a voice, and the law forbids it at work |
| stress or tone of a voice | it says nothing that would hold, and much about health |
| the rhythm of typing, and which keys | it is as personal as a fingerprint; synthetic keys are counted, a minute at a time |
| the room | nobody is asked to show it |
| programs and devices that help a person to read, hear, speak or write | that is about health; they are left out of what observers tell, and a check of this project refuses an observer that names one |
`

/** The published pages about the observers, by their names in `docs/reference`; text of the table and the two lists. */
export const observerPages = (): Record<string, string> => ({
  'observers.md': observersPage(),
  'programs.md': programsPage(),
  'never-observed.md': neverPage(),
  'ordinary-machines.md': ordinaryMachinesPage(),
})
