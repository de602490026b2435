import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { LaneName } from '@integrity/protocol'
import type { Sources } from '../machine/adapters/capture-config.ts'
import type { PageLinks } from '../machine/page/page-links.ts'
import { listDevices, onDevicesChanged } from '../machine/page/web-devices.ts'
import { listSources } from '../machine/pulse/sources.ts'
import type { Environment } from '../shared/child-process.ts'

export interface DeviceChoice {
  readonly lane: LaneName
  readonly id: string
  readonly label: string
}

/** Which devices a lane could record from, and how a choice becomes a source. */
export interface DeviceChoices {
  list(lanes: readonly LaneName[]): Promise<readonly DeviceChoice[]>
  choose(sources: Sources, lane: LaneName, id: string): Sources
  /** Tells when devices come or go until the given function is called. Absent where nobody tells. */
  watch?(onChange: () => void): () => void
}

const cameraName = (name: string): string => {
  try {
    return readFileSync(`/sys/class/video4linux/${name}/name`, 'utf8').trim() || name
  } catch {
    return name
  }
}

const linuxCameras = (): DeviceChoice[] => {
  if (!existsSync('/dev')) return []
  const names = readdirSync('/dev').filter((name) => /^video\d+$/.test(name))
  return names
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => ({ lane: 'camera', id: `/dev/${name}`, label: cameraName(name) }))
}

/** The devices of a Linux machine, by the sound server and the video devices. */
export const linuxDevices = (env: Environment | undefined): DeviceChoices => ({
  list: async (lanes) => {
    const sources = (await listSources(env)) ?? []
    const sound = sources.map(({ name, description, monitorOf }): DeviceChoice => {
      const lane = monitorOf === undefined ? 'microphone' : 'system_audio'
      return { lane, id: name, label: description }
    })
    return [...sound, ...linuxCameras()].filter(({ lane }) => lanes.includes(lane))
  },
  choose: (sources, lane, id) => {
    switch (lane) {
      case 'microphone':
        return { ...sources, micSource: id }
      case 'system_audio':
        return { ...sources, systemSource: id }
      case 'camera':
        return { ...sources, cameraDevice: id }
      default:
        return sources
    }
  },
})

const webKinds = {
  audioinput: { lane: 'microphone', name: 'Microphone' },
  videoinput: { lane: 'camera', name: 'Camera' },
} as const

/** Ids under which a browser lists a device once more. */
const standIns: readonly string[] = ['default', 'communications']

/**
 * The microphones and cameras that the capture page lists. A name that the browser does not tell is a number; without
 * permission it tells no ids either, so that there is nothing to choose. What the speakers play comes with the display.
 */
export const webDevices = (links: PageLinks): DeviceChoices => ({
  list: async (lanes) => {
    const devices = await listDevices(links).catch(() => [])
    const concrete = devices.filter(({ deviceId }) => deviceId !== '' && !standIns.includes(deviceId))
    return (['audioinput', 'videoinput'] as const).flatMap((kind) => {
      const { lane, name } = webKinds[kind]
      if (!lanes.includes(lane)) return []
      const ofKind = concrete.filter((device) => device.kind === kind)
      return ofKind.map(({ deviceId, label }, i) => ({ lane, id: deviceId, label: label || `${name} ${i + 1}` }))
    })
  },
  choose: (sources, lane, id) => {
    if (lane === 'microphone') return { ...sources, micSource: id }
    return lane === 'camera' ? { ...sources, cameraDevice: id } : sources
  },
  watch: (onChange) => {
    const over = new AbortController()
    void onDevicesChanged(links, onChange).then(
      (forget) => {
        if (over.signal.aborted) forget()
        else over.signal.addEventListener('abort', forget, { once: true })
      },
      // Without a page there is nothing to choose from, and the next try asks again.
      () => undefined,
    )
    return () => over.abort()
  },
})

/** Where the drivers find their devices alone. */
export const noChoices: DeviceChoices = { list: async () => [], choose: (sources) => sources }
