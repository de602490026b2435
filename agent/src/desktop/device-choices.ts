import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { LaneName } from '@integrity/protocol'
import { listSources } from '../capture/pulse.ts'
import type { Sources } from '../host/capture-adapter.ts'
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

/** Where the drivers find their devices alone. */
export const noChoices: DeviceChoices = { list: async () => [], choose: (sources) => sources }
