import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { makerOf, parseInputDevices, remoteHints } from './machine-fact-readers.ts'
import { createDisplayIdentityObserver, createHidObserver, createRemoteSessionObserver } from './machine-facts.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'facts-'))
  await mkdir(join(root, 'proc/bus/input'), { recursive: true })
  await mkdir(join(root, 'sys/class/drm'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const letters = '1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe'
/** A block of /proc/bus/input/devices. */
const device = (bus: string, name: string, handlers: string, keys: string): string =>
  `I: Bus=${bus} Vendor=046d Product=c31c Version=0110\nN: Name="${name}"\nP: Phys=usb-1/input0\nS: Sysfs=/devices/x\nU: Uniq=SERIAL-1\nH: Handlers=${handlers}\nB: PROP=0\nB: KEY=${keys}\n\n`
const laptop = [
  device('0019', 'Power Button', 'kbd event0', '10000000000000 0'),
  device('0011', 'AT Translated Set 2 keyboard', 'sysrq kbd event2 leds', letters),
  device('0018', 'Touchpad', 'mouse0 event5', 'e520 10000 0 0 0 0'),
].join('')
const receiver = device('0003', 'Somebody’s Receiver', 'sysrq kbd mouse1 event7', letters)

const withEdid = async (socket: string, status: string, maker?: number): Promise<void> => {
  const folder = join(root, 'sys/class/drm', socket)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'status'), `${status}\n`)
  const edid = Buffer.alloc(maker === undefined ? 0 : 128, 0x53)
  if (maker !== undefined) edid.writeUInt16BE(maker, 8)
  await writeFile(join(folder, 'edid'), edid)
}
const dell = 0x10ac

describe('keyboards and mice', () => {
  it('are counted by what they are connected by; a power button is none, and no name leaves', async () => {
    const file = join(root, 'proc/bus/input/devices')
    await writeFile(file, laptop)
    const { seen, set } = watch([createHidObserver({ platform: 'linux', root, intervalMs: 20 })])
    await until('the first look', () => seen.length > 0)
    await writeFile(file, laptop + receiver)
    await until('the receiver', () => seen.length > 1)
    await set.stop()
    const own = [
      { kind: 'keyboard', bus: 'built_in', count: 1 },
      { kind: 'pointer', bus: 'built_in', count: 1 },
    ]
    expect(seen[0]).toMatchObject({ kind: 'hid.changed', data: { value: own, sinceBeforeSession: true } })
    const usb = (kind: string) => ({ kind, bus: 'usb', count: 1 })
    expect(seen[1]!.data.value).toEqual([own[0], usb('keyboard'), own[1], usb('pointer')])
    expect(JSON.stringify(seen)).not.toMatch(/SERIAL|Receiver|Touchpad/)
    expect(parseInputDevices('')).toEqual([])
  })
})

describe('displays', () => {
  it('say socket and maker, and nothing of their serial number', async () => {
    await withEdid('card0-eDP-1', 'connected')
    await withEdid('card0-HDMI-A-1', 'disconnected')
    const { seen, set } = watch([createDisplayIdentityObserver({ platform: 'linux', root, intervalMs: 20 })])
    await until('the first look', () => seen.length > 0)
    await withEdid('card0-HDMI-A-1', 'connected', dell)
    await until('the second display', () =>
      seen.some(({ data }) => JSON.stringify(data.value).includes('"maker":"DEL"')),
    )
    await set.stop()
    const inner = { display: 'eDP-1', connection: 'eDP', maker: null }
    expect(seen[0]!.data).toMatchObject({ value: [inner], sinceBeforeSession: true })
    expect(seen.at(-1)!.data.value).toEqual([{ display: 'HDMI-A-1', connection: 'HDMI-A', maker: 'DEL' }, inner])
    expect(makerOf(Buffer.alloc(128))).toBeNull()
  })
})

describe('a desktop that is shown elsewhere', () => {
  it('is told of by what says so, when it begins and when it ends', async () => {
    let names = ['bash']
    const observer = createRemoteSessionObserver({
      platform: 'linux',
      env: {},
      list: async () => names,
      intervalMs: 20,
    })
    const { kinds, seen, set } = watch([observer])
    await new Promise((resolve) => setTimeout(resolve, 60))
    names = ['bash', 'x11vnc', 'x11vnc']
    await until('the server', () => kinds().length === 1)
    names = ['bash']
    await until('its end', () => kinds().length === 2)
    await set.stop()
    expect(kinds()).toEqual(['remote_session.started', 'remote_session.ended'])
    expect(seen[0]!.data).toMatchObject({ value: { from: 'program', value: 'x11vnc' } })
  })

  it('is no desktop where a program of a call or of remote control runs, and names no address', async () => {
    expect(await remoteHints({}, ['zoom', 'anydesk', 'sshd'])).toEqual([])
    const env = { XRDP_SESSION: '1', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22', DISPLAY: 'localhost:10.0' }
    const hints = await remoteHints(env, ['Xvnc'])
    expect(hints.map(({ from }) => from)).toEqual(['program', 'XRDP_SESSION', 'SSH_CONNECTION'])
    expect(JSON.stringify(hints)).not.toContain('192.0.2')
  })
})
