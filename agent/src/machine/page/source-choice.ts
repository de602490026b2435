import { type CaptureConfig, DriverError, type SoundLane } from '../../core/capture/types.ts'
import { resolveSource } from '../sound/sound-source.ts'
import type { InputDevice, StreamSource } from './messages.ts'

const defaultId = 'default'
const defaultPrefix = /^Default - /

/**
 * The device that a default stands for, where the browser tells it (macOS, Windows): by its group, or by its name.
 * Elsewhere the default itself. A concrete device cannot be swapped unnoticed.
 */
const defaultDevice = (devices: InputDevice[]): InputDevice | undefined => {
  const standIn = devices.find(({ deviceId }) => deviceId === defaultId)
  const concrete = devices.filter(({ deviceId }) => deviceId !== defaultId && deviceId !== 'communications')
  if (!standIn) return concrete[0]
  const sameGroup = concrete.filter(({ groupId }) => groupId !== '' && groupId === standIn.groupId)
  if (sameGroup.length === 1) return sameGroup[0]
  const name = standIn.label.replace(defaultPrefix, '')
  return concrete.find(({ label }) => label !== '' && label === name) ?? standIn
}

const named = (devices: InputDevice[], name: string): InputDevice | undefined =>
  devices.find(({ deviceId }) => deviceId === name) ?? devices.find(({ label }) => label === name)

/** Throws DriverError where there are some, but a browser without permission hides which. */
const ofKind = (devices: readonly InputDevice[], kind: InputDevice['kind']): InputDevice[] => {
  const all = devices.filter((device) => device.kind === kind)
  const shown = all.filter(({ deviceId }) => deviceId !== '')
  if (all.length > 0 && shown.length === 0) {
    throw new DriverError('permission_denied', 'the browser shows no devices without permission')
  }
  return shown
}

/** The camera that the config names by its id or label, or the first. Throws DriverError when it is not there. */
export const chooseCamera = (devices: readonly InputDevice[], config: CaptureConfig): InputDevice => {
  const { source } = config.camera
  if (source?.kind === 'file') throw new DriverError('not_observable', 'a browser plays no file in place of a camera')
  const cameras = ofKind(devices, 'videoinput')
  const chosen = source ? named(cameras, source.path) : cameras[0]
  if (chosen) return chosen
  if (source) throw new DriverError('unplugged', `the camera ${source.path} is not there`)
  throw new DriverError('not_observable', 'this machine has no camera')
}

/**
 * Where the sound server names its sources (Linux), the browser shows their descriptions. Undefined when they are of
 * no help; throws DriverError when the sound server says that there is no such source.
 */
const pulseDevice = async (lane: SoundLane, inputs: InputDevice[], config: CaptureConfig) => {
  const source = await resolveSource(lane, config)
  if ('reason' in source) {
    if (source.reason === 'not_observable') return undefined
    throw new DriverError(source.reason, source.detail)
  }
  const alike = inputs.filter(({ label }) => label === source.description)
  return alike.length === 1 ? alike[0] : undefined
}

/** The microphone to record: the configured one by id, label or name of the sound server, or the default. */
const chooseMicrophone = async (inputs: InputDevice[], config: CaptureConfig, pulse: boolean): Promise<InputDevice> => {
  const { source } = config.microphone
  const chosen = source === undefined ? undefined : named(inputs, source)
  const known = chosen ?? (pulse ? await pulseDevice('microphone', inputs, config) : undefined)
  if (known) return known
  if (source !== undefined)
    throw new DriverError('unplugged', `the microphone ${source} is not there, or not the only one of its name`)
  const usual = defaultDevice(inputs)
  if (!usual) throw new DriverError('not_observable', 'this machine has no microphone')
  return usual
}

/** What the speakers play: the configured device, the sound server's monitor, or the display's own sound. */
const chooseSystemAudio = async (
  inputs: InputDevice[],
  config: CaptureConfig,
  pulse: boolean,
): Promise<StreamSource> => {
  const { source } = config.systemAudio
  const chosen = source === undefined ? undefined : named(inputs, source)
  const known = chosen ?? (pulse ? await pulseDevice('system_audio', inputs, config) : undefined)
  if (known) return { kind: 'sound', deviceId: known.deviceId }
  if (source !== undefined)
    throw new DriverError('unplugged', `the sound source ${source} is not there, or not the only one of its name`)
  return { kind: 'loopback' }
}

/** The source of a lane of sound. Throws DriverError when there is none. Never one lane's source for the other. */
export const chooseSound = async (
  lane: SoundLane,
  devices: readonly InputDevice[],
  config: CaptureConfig,
  platform: NodeJS.Platform,
): Promise<StreamSource> => {
  const pulse = platform === 'linux'
  // The sound of a display needs no permission for microphones.
  if (lane === 'system_audio' && config.systemAudio.source === undefined && !pulse) return { kind: 'loopback' }
  const inputs = ofKind(devices, 'audioinput')
  if (lane === 'system_audio') return chooseSystemAudio(inputs, config, pulse)
  const { deviceId } = await chooseMicrophone(inputs, config, pulse)
  return { kind: 'sound', deviceId }
}
