import { deviceListVersion, matchDeviceName } from '../../core/observers/device-catalogue.ts'
import { wayOf } from '../../core/observers/observer-table.ts'
import {
  createSampledObserver,
  keyedDifference,
  polled,
  probeByReading,
  type Source,
} from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import { followSources } from '../pulse/source-changes.ts'
import {
  devicesOfShell,
  linuxDeviceLooks,
  listLinuxDevices,
  listMacosDevices,
  type MediaDevice,
} from './device-lists.ts'
import { helperFed } from './helper-fed.ts'
import type { ObserverOptions } from './observer-options.ts'
import { shellSource } from './shell-source.ts'

type Devices = Map<string, MediaDevice>

const noSoundServer = 'Cameras and microphones cannot be listed: no sound server answers.'
const notTold = 'Cameras and microphones cannot be listed: the system does not tell their names.'

/** A device as it is sent: its raw name, and the entry of the published list that the name matches. */
const described = ({ kind, name }: MediaDevice) => {
  const entry = matchDeviceName(name)
  const listed = entry ? { device: entry.device, kind: entry.kind, listVersion: deviceListVersion } : null
  return { kind, name: name.slice(0, 300), listed }
}

const keyed = (devices: readonly MediaDevice[]): Devices =>
  new Map(devices.map((device) => [`${device.kind} ${device.id}`, device]))

const linuxLooks =
  ({ env = process.env, clock, root }: ObserverOptions, intervalMs: number): Source<Devices> =>
  async (see, signal) => {
    const news = await followSources(env).catch(() => undefined)
    const look = linuxDeviceLooks(env, news, root)
    try {
      await polled(async () => keyed(await look()), intervalMs, clock)(see, signal)
    } finally {
      news?.close()
    }
  }

export type DevicesOptions = ObserverOptions & {
  /** Instead of asking the system. */
  list?: () => Promise<MediaDevice[]>
}

/** Cameras and microphones by their names, as they come and go. */
export const createDevicesObserver = (options: DevicesOptions = {}): Observer => {
  const { env = process.env, clock, helper, root, platform = thisPlatform() } = options
  const shell = options.shell?.mediaDevices ? options.shell : undefined
  const way = wayOf('devices', platform, shell !== undefined)
  const ask = platform === 'darwin' ? listMacosDevices : () => listLinuxDevices(env, root)
  const list = options.list ?? (shell ? async () => devicesOfShell((await shell.mediaDevices?.()) ?? []) : ask)
  const byHelper = platform === 'win32' && !shell && !options.list
  const read = async (): Promise<Devices> => keyed(await list())
  const intervalMs = options.intervalMs ?? way.intervalMs
  const onLinux = platform === 'linux' && !shell && !options.list
  const looked = onLinux ? linuxLooks(options, intervalMs) : polled(read, intervalMs, clock)
  const asked = {
    probe: probeByReading(read, platform === 'linux' && !shell ? noSoundServer : notTold),
    source: shell ? shellSource(shell, ['media-devices-changed'], read) : looked,
  }
  return createSampledObserver<Devices>({
    name: 'devices',
    version: 2,
    way,
    intervalMs: options.intervalMs,
    clock,
    ...(byHelper ? helperFed(helper, 'devices', notTold, ({ devices }) => keyed(devices)) : asked),
    initial: (state) => [...state.values()].map((device) => ({ kind: 'device.added', value: described(device) })),
    baseline: (state) => [...state.values()].map(described),
    changes: (before, now) => {
      const { added, removed } = keyedDifference(before, now)
      return [
        ...added.map((device) => ({ kind: 'device.added' as const, value: described(device) })),
        ...removed.map((device) => ({ kind: 'device.removed' as const, value: described(device) })),
      ]
    },
  })
}
