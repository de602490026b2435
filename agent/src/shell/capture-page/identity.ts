import type { InputDevice, StreamSource, StreamState } from '../../machine/page/messages.ts'
import { listDevices, permissionOf } from './inventory.ts'

type DeviceSource = Extract<StreamSource, { deviceId: string }>

const isDevice = (source: StreamSource): source is DeviceSource => source.kind === 'camera' || source.kind === 'sound'

const listed = async ({ kind, deviceId }: DeviceSource): Promise<InputDevice | undefined> => {
  const wanted = kind === 'camera' ? 'videoinput' : 'audioinput'
  return (await listDevices()).find((device) => device.kind === wanted && device.deviceId === deviceId)
}

/** What tells one source from another put in its place. */
const traits = (track: MediaStreamTrack, device: InputDevice | undefined): string => {
  const { deviceId, groupId } = track.getSettings()
  return JSON.stringify([track.label, deviceId, groupId, device?.label, device?.groupId])
}

/** Remembers what a track is of, and tells whether it is still so: browsers go on with another device without a word. */
export const watchIdentity = async (
  source: StreamSource,
  track: MediaStreamTrack,
): Promise<() => Promise<StreamState>> => {
  const before = traits(track, isDevice(source) ? await listed(source) : undefined)
  return async () => {
    const over = track.readyState === 'ended'
    if (!isDevice(source)) {
      if (over) return 'ended'
      return traits(track, undefined) === before ? mutedOr(track) : 'swapped'
    }
    const permission = await permissionOf(source.kind === 'camera' ? 'camera' : 'microphone')
    const permitted = permission === 'granted' || permission === 'unknown'
    // A track whose permission was taken away is mute for a moment before it ends.
    if ((over || track.muted) && !permitted) return 'refused'
    const device = await listed(source)
    if (!device) return permitted ? 'gone' : 'refused'
    if (over) return 'ended'
    return traits(track, device) === before ? mutedOr(track) : 'swapped'
  }
}

const mutedOr = (track: MediaStreamTrack): StreamState => (track.muted ? 'muted' : 'same')
