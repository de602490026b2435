import type { CommandValue, InputDevice, PermissionStateName } from '../../machine/page/messages.ts'
import { filmRecorders, soundRecorders } from '../../machine/page/recorders.ts'

export const permissionOf = async (name: 'camera' | 'microphone'): Promise<PermissionStateName> => {
  try {
    return (await navigator.permissions.query({ name })).state
  } catch {
    return 'unknown'
  }
}

export const listDevices = async (): Promise<InputDevice[]> => {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.map(({ kind, deviceId, groupId, label }) => ({ kind, deviceId, groupId, label }))
}

export const readInventory = async (): Promise<CommandValue<'inventory'>> => ({
  devices: await listDevices(),
  permissions: { camera: await permissionOf('camera'), microphone: await permissionOf('microphone') },
  recorders: [...soundRecorders, ...filmRecorders]
    .map(({ contentType }) => contentType)
    .filter((contentType) => MediaRecorder.isTypeSupported(contentType)),
})
