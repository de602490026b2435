import { describe, expect, it } from 'vitest'
import { deviceList, matchDeviceName, normalisedDeviceName } from './device-catalogue.ts'

describe('the list of devices', () => {
  it.each([
    ['OBS Virtual Camera', 'OBS Virtual Camera'],
    ['OBS-Camera2', 'OBS Virtual Camera'],
    ['Camera (NVIDIA Broadcast)', 'NVIDIA Broadcast'],
    ['CABLE Output (VB-Audio Virtual Cable)', 'VB-Audio Virtual Cable'],
    ['BlackHole 2ch', 'BlackHole'],
    ['Krisp_Microphone', 'Krisp'],
    ['Dummy video device (0x0000)', 'v4l2loopback'],
    ['e2eSoft VCam', 'e2eSoft VCam'],
    ['RØDE Connect Virtual', 'RØDE virtual devices'],
  ])('has %s under %s', (name, device) => {
    expect(matchDeviceName(name)?.device).toBe(device)
  })

  it.each([
    'Integrated Webcam',
    'Logitech BRIO',
    'MacBook Pro Microphone',
    'Camouflage Cam',
    'Acamo',
    'Desk_Microphone',
    '',
  ])('does not have %s', (name) => {
    expect(matchDeviceName(name)).toBeUndefined()
  })

  it('matches each entry under each of its own names, which are spelt as names are compared, and given once', () => {
    const names = deviceList.flatMap((entry) => entry.names.map((name) => ({ name, entry })))
    for (const { name, entry } of names) {
      expect(normalisedDeviceName(name)).toBe(name)
      expect(matchDeviceName(name)).toBe(entry)
    }
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length)
  })
})
