import { readdir, readFile } from 'node:fs/promises'
import { defaultSourceName, listSources } from '../capture/pulse.ts'
import { createPollingObserver, keyedDifference } from './polling-observer.ts'
import type { Observability, Observer, ObserverOptions } from './types.ts'

export type MediaDevice = { kind: 'camera' | 'microphone' | 'sound_monitor'; name: string; id: string }

/** Names that virtual devices usually carry. A device is only named as such; why it is there is not concluded. */
const VIRTUAL_NAME =
  /virtual|obs|manycam|snap camera|droidcam|iriun|v4l2loopback|dummy|null output|remapped|vb-?audio|voicemeeter|blackhole|loopback/i

const VIDEO_CLASS = '/sys/class/video4linux'

const cameras = async (): Promise<MediaDevice[]> => {
  const ids = await readdir(VIDEO_CLASS).catch(() => [])
  return Promise.all(
    ids.map(async (id): Promise<MediaDevice> => {
      const name = (await readFile(`${VIDEO_CLASS}/${id}/name`, 'utf8').catch(() => id)).trim()
      return { kind: 'camera', name, id: `/dev/${id}` }
    }),
  )
}

const microphones = async (env: ObserverOptions['env']): Promise<MediaDevice[]> => {
  const sources = await listSources(env)
  if (!sources) throw new Error('no sound server answers')
  return sources.map(({ name, description, monitorOf }) => ({
    kind: monitorOf === undefined ? 'microphone' : 'sound_monitor',
    name: description,
    id: name,
  }))
}

/** Cameras and sound sources by their names, as they come and go (video4linux and PulseAudio). */
export const createDevicesObserver = ({ env = process.env, intervalMs = 10_000 }: ObserverOptions = {}): Observer => {
  const probe = async (): Promise<Observability> => {
    if (process.platform !== 'linux') {
      return { status: 'not_observable', why: 'outside Electron, devices are listed on Linux only' }
    }
    if (await defaultSourceName(env)) return { status: 'observable' }
    return { status: 'not_observable', why: 'no sound server answers, so microphones cannot be listed' }
  }
  const described = (device: MediaDevice) => ({ ...device, virtualByName: VIRTUAL_NAME.test(device.name) })
  return createPollingObserver({
    name: 'devices',
    version: 1,
    method: '/sys/class/video4linux; pactl list sources',
    intervalMs,
    probe,
    read: async () => {
      const devices = [...(await cameras()), ...(await microphones(env))]
      return new Map(devices.map((device) => [`${device.kind} ${device.id}`, device]))
    },
    initial: (state) => [...state.values()].map((device) => ({ kind: 'device.added', value: described(device) })),
    changes: (before, now) => {
      const { added, removed } = keyedDifference(before, now)
      return [
        ...added.map((device) => ({ kind: 'device.added' as const, value: described(device) })),
        ...removed.map((device) => ({ kind: 'device.removed' as const, value: described(device) })),
      ]
    },
  })
}
