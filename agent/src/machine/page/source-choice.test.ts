import { describe, expect, it } from 'vitest'
import { type CaptureConfig, defaultCaptureConfig } from '../../core/capture/types.ts'
import type { InputDevice } from './messages.ts'
import { chooseCamera, chooseSound } from './source-choice.ts'

const device = (kind: InputDevice['kind'], deviceId: string, label: string, groupId = deviceId): InputDevice => ({
  kind,
  deviceId,
  label,
  groupId,
})
const mics = [
  device('audioinput', 'default', 'Default - Headset', 'g2'),
  device('audioinput', 'communications', 'Communications - Headset', 'g2'),
  device('audioinput', 'm1', 'Built-in', 'g1'),
  device('audioinput', 'm2', 'Headset', 'g2'),
]
const cameras = [device('videoinput', 'c1', 'Front'), device('videoinput', 'c2', 'Desk')]
const config = defaultCaptureConfig
const withMic = (source: string): CaptureConfig => ({ ...config, microphone: { ...config.microphone, source } })
const withCamera = (source: CaptureConfig['camera']['source']): CaptureConfig => ({
  ...config,
  camera: { ...config.camera, source },
})

describe('the microphone that is recorded', () => {
  const choose = (devices: InputDevice[], settings = config) => chooseSound('microphone', devices, settings, 'darwin')

  it('is the device that the default stands for, by its group or by its name', async () => {
    expect(await choose(mics)).toEqual({ kind: 'sound', deviceId: 'm2' })
    const ungrouped = mics.map((mic) => ({ ...mic, groupId: '' }))
    expect(await choose(ungrouped)).toEqual({ kind: 'sound', deviceId: 'm2' })
  })

  it('is the default itself where nobody tells what it stands for', async () => {
    const untold = [device('audioinput', 'default', 'Default', 'g0'), ...mics.slice(2)]
    expect(await choose(untold)).toEqual({ kind: 'sound', deviceId: 'default' })
  })

  it('is the configured one, by id or name, and never another in its place', async () => {
    expect(await choose(mics, withMic('m1'))).toEqual({ kind: 'sound', deviceId: 'm1' })
    expect(await choose(mics, withMic('Built-in'))).toEqual({ kind: 'sound', deviceId: 'm1' })
    await expect(choose(mics, withMic('Studio'))).rejects.toMatchObject({ reason: 'unplugged' })
  })

  it('is not observable on a machine without one', async () => {
    await expect(choose(cameras)).rejects.toMatchObject({ reason: 'not_observable' })
  })

  it('is denied where a browser lists that there is one, and nothing about it', async () => {
    await expect(choose([device('audioinput', '', '')])).rejects.toMatchObject({ reason: 'permission_denied' })
    await expect(choose([device('audioinput', '', '')], withMic('m1'))).rejects.toMatchObject({
      reason: 'permission_denied',
    })
  })
})

describe('the sound of the computer that is recorded', () => {
  it('is that of a display, unless a device is named', async () => {
    expect(await chooseSound('system_audio', mics, config, 'win32')).toEqual({ kind: 'loopback' })
    const hidden = [device('audioinput', '', '')]
    expect(await chooseSound('system_audio', hidden, config, 'win32')).toEqual({ kind: 'loopback' })
    const named = { ...config, systemAudio: { ...config.systemAudio, source: 'Headset' } }
    expect(await chooseSound('system_audio', mics, named, 'win32')).toEqual({ kind: 'sound', deviceId: 'm2' })
    const absent = { ...config, systemAudio: { ...config.systemAudio, source: 'Loopback' } }
    await expect(chooseSound('system_audio', mics, absent, 'win32')).rejects.toMatchObject({ reason: 'unplugged' })
  })
})

describe('the camera that is recorded', () => {
  it('is the configured one, by id or name, or the first', () => {
    expect(chooseCamera(cameras, config).deviceId).toBe('c1')
    expect(chooseCamera(cameras, withCamera({ kind: 'device', path: 'c2' })).deviceId).toBe('c2')
    expect(chooseCamera(cameras, withCamera({ kind: 'device', path: 'Desk' })).deviceId).toBe('c2')
  })

  it('names the gap when there is none', () => {
    const reasonOf = (devices: InputDevice[], source?: CaptureConfig['camera']['source']): unknown => {
      try {
        return chooseCamera(devices, withCamera(source))
      } catch (error) {
        return (error as { reason: unknown }).reason
      }
    }
    expect(reasonOf(mics)).toBe('not_observable')
    expect(reasonOf(cameras, { kind: 'device', path: '/dev/video7' })).toBe('unplugged')
    expect(reasonOf(cameras, { kind: 'file', path: 'webcam.avi' })).toBe('not_observable')
  })
})
