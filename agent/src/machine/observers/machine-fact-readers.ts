import { readdirSync, readFileSync } from 'node:fs'
import type { InputBus, ObservationValue } from '@integrity/protocol'
import { type Environment, findProgram } from '../../shared/child-process.ts'
import { askCommand } from './ask-command.ts'

export type InputDevices = ObservationValue<'hid.changed'>
export type DisplayIdentity = ObservationValue<'display.identified'>[number]
export type RemoteHint = ObservationValue<'remote_session.started'>

const buses: Readonly<Record<number, InputBus>> = {
  3: 'usb',
  5: 'bluetooth',
  6: 'virtual',
  17: 'built_in',
  24: 'built_in',
  28: 'built_in',
  29: 'built_in',
}
/** Letters of a keyboard: KEY_Q to KEY_P stand at 16 to 25 of the keys that it has. */
const letters = 0x3ffn << 16n

/**
 * How many keyboards and pointers of each bus stand in `/proc/bus/input/devices`: blocks of lines, `I: Bus=0003 …`,
 * `H: Handlers=kbd mouse0 …`, `B: KEY=…`. A power button has keys too, and no letters. Names and serial numbers are passed over.
 */
export const parseInputDevices = (text: string): InputDevices => {
  const counts = new Map<string, InputDevices[number]>()
  for (const block of text.split(/\n\s*\n/)) {
    const bus = buses[Number.parseInt(/^I: Bus=([0-9a-f]+)/im.exec(block)?.[1] ?? '', 16)] ?? 'other'
    const handlers = (/^H: Handlers=(.*)$/m.exec(block)?.[1] ?? '').split(' ')
    const lowest = BigInt(`0x${/^B: KEY=(.*)$/m.exec(block)?.[1]?.trim().split(' ').at(-1) || '0'}`)
    const kinds = [
      ...(handlers.includes('kbd') && (lowest & letters) === letters ? (['keyboard'] as const) : []),
      ...(handlers.some((one) => /^mouse\d/.test(one)) ? (['pointer'] as const) : []),
    ]
    for (const kind of kinds) {
      const key = `${kind} ${bus}`
      counts.set(key, { kind, bus, count: (counts.get(key)?.count ?? 0) + 1 })
    }
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** @throws Error where the system does not list them */
export const readInputDevices = (root = ''): InputDevices =>
  parseInputDevices(readFileSync(`${root}/proc/bus/input/devices`, 'utf8'))

/** The maker's three letters in an EDID: five bits each, in bytes 8 and 9. Nothing else of it is read. */
export const makerOf = (edid: Buffer): string | null => {
  if (edid.length < 128) return null
  const packed = edid.readUInt16BE(8)
  const letter = [packed >> 10, packed >> 5, packed].map((bits) => bits & 31)
  return letter.every((one) => one >= 1 && one <= 26) ? String.fromCharCode(...letter.map((one) => one + 64)) : null
}

/** Connected displays as `/sys/class/drm` has them: `card0-HDMI-A-1`. @throws Error where there is no such list */
export const readDisplayIdentities = (root = ''): DisplayIdentity[] => {
  const folder = `${root}/sys/class/drm`
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const [, display, connection] = /^card\d+-((.+)-\d+)$/.exec(name) ?? []
      if (!display || !connection) return []
      if (readFileSync(`${folder}/${name}/status`, 'utf8').trim() !== 'connected') return []
      return [{ display, connection, maker: makerOf(readFileSync(`${folder}/${name}/edid`)) }]
    })
}

/** Programs that serve a desktop to other computers and do nothing else. */
const desktopServers = new Set([
  ...['x11vnc', 'x0vncserver', 'xvnc', 'xtigervnc', 'xtightvnc', 'vino-server', 'wayvnc', 'krfb', 'winvnc4-x11'],
  ...['xrdp-sesman', 'xrdp-chansrv', 'xorgxrdp', 'gnome-remote-desktop-daemon', 'nxagent', 'xpra'],
])

/** What says that the desktop is shown elsewhere; `names` are those of the processes that run. */
export const remoteHints = async (env: Environment, names: readonly string[]): Promise<RemoteHint[]> => {
  const servers = new Set(names.map((name) => name.toLowerCase()).filter((name) => desktopServers.has(name)))
  const hints = [...servers].toSorted().map((value) => ({ from: 'program', value }))
  if (env['XRDP_SESSION']) hints.push({ from: 'XRDP_SESSION', value: 'set' })
  if (env['SSH_CONNECTION'] && env['DISPLAY']?.startsWith('localhost:'))
    hints.push({ from: 'SSH_CONNECTION', value: 'set' })
  const session = env['XDG_SESSION_ID']
  if (session && findProgram('loginctl', env)) {
    const ask = askCommand('loginctl', ['show-session', session, '-p', 'Remote', '--value'], { env })
    if ((await ask.catch(() => '')).trim() === 'yes') hints.push({ from: 'loginctl', value: 'Remote=yes' })
  }
  return hints
}
