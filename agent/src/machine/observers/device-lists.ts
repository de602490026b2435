import { readdir, readFile } from 'node:fs/promises'
import type { MediaDeviceKind } from '@integrity/protocol'
import * as z from 'zod'
import type { Environment } from '../../shared/child-process.ts'
import type { SourceNews } from '../pulse/source-changes.ts'
import { listSources } from '../pulse/sources.ts'
import { askCommand } from './ask-command.ts'
import type { ShellMediaDevice } from './shell-signals.ts'

/** A device as a system lists it. `id` tells devices apart; it may hold a serial number and stays on this device. */
export interface MediaDevice {
  kind: MediaDeviceKind
  name: string
  id: string
}

const videoClass = '/sys/class/video4linux'

const linuxCameras = async (root = ''): Promise<MediaDevice[]> => {
  const folder = `${root}${videoClass}`
  const ids = await readdir(folder).catch(() => [])
  return Promise.all(
    ids.map(async (id): Promise<MediaDevice> => {
      const name = (await readFile(`${folder}/${id}/name`, 'utf8').catch(() => id)).trim()
      return { kind: 'camera', name, id: `/dev/${id}` }
    }),
  )
}

/** @throws Error when no sound server answers */
const linuxMicrophones = async (env: Environment): Promise<MediaDevice[]> => {
  const sources = await listSources(env)
  if (!sources) throw new Error('no sound server answers')
  return sources.map(
    ({ name, description, monitorOf }): MediaDevice => ({
      kind: monitorOf === undefined ? 'microphone' : 'sound_monitor',
      name: description,
      id: name,
    }),
  )
}

/** video4linux and PulseAudio (or PipeWire-pulse). @throws Error when no sound server answers */
export const listLinuxDevices = async (env: Environment, root?: string): Promise<MediaDevice[]> => [
  ...(await linuxCameras(root)),
  ...(await linuxMicrophones(env)),
]

/** The same for one look after the other: the sound server is asked again only when it has told of a change. */
export const linuxDeviceLooks = (
  env: Environment,
  news: SourceNews | undefined,
  root?: string,
): (() => Promise<MediaDevice[]>) => {
  let microphones: MediaDevice[] | undefined
  return async () => {
    if (!microphones || (news?.take() ?? true)) microphones = await linuxMicrophones(env)
    return [...(await linuxCameras(root)), ...microphones]
  }
}

const item = z.object({
  _name: z.string(),
  coreaudio_device_input: z.union([z.number(), z.string()]).optional(),
  'spcamera_unique-id': z.string().optional(),
})
const profile = z.object({
  SPCameraDataType: z.array(item).default([]),
  SPAudioDataType: z.array(z.object({ _items: z.array(item).default([]) })).default([]),
})

const readProfile = (text: string) => {
  try {
    return profile.parse(JSON.parse(text))
  } catch (error) {
    // The error's own words may quote the answer.
    throw new Error('the list of devices cannot be read', { cause: error })
  }
}

/**
 * The cameras and inputs in the answer of `system_profiler -json SPCameraDataType SPAudioDataType`: a camera is an item
 * of the first list; an audio device that counts `coreaudio_device_input` channels is an input.
 * @throws Error for anything else
 */
export const parseSystemProfiler = (text: string): MediaDevice[] => {
  const { SPCameraDataType, SPAudioDataType } = readProfile(text)
  const cameras = SPCameraDataType.map((camera): MediaDevice => {
    return { kind: 'camera', name: camera._name, id: camera['spcamera_unique-id'] ?? camera._name }
  })
  const inputs = SPAudioDataType.flatMap(({ _items }) => _items)
    .filter((device) => Number(device.coreaudio_device_input ?? 0) > 0)
    .map((device): MediaDevice => ({ kind: 'microphone', name: device._name, id: device._name }))
  return [...cameras, ...inputs]
}

export const listMacosDevices = async (): Promise<MediaDevice[]> => {
  const args = ['-json', 'SPCameraDataType', 'SPAudioDataType']
  return parseSystemProfiler(await askCommand('/usr/sbin/system_profiler', args, { timeoutMs: 30_000 }))
}

/** The cameras and inputs of `enumerateDevices`. A page without permission gets empty labels, which name nothing. */
export const devicesOfShell = (devices: readonly ShellMediaDevice[]): MediaDevice[] =>
  devices
    .filter(
      ({ kind, id, label }) => kind !== 'audiooutput' && label !== '' && !['default', 'communications'].includes(id),
    )
    .map(({ kind, label, id }) => ({ kind: kind === 'videoinput' ? 'camera' : 'microphone', name: label, id }))
