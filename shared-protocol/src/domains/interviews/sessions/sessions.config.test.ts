import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidenceTypeNames, evidenceTypes } from '../lanes/lanes.evidence.ts'
import { laneNames } from '../lanes/lanes.registry.ts'
import { laneEnabled, sessionConfig, sessionConfigPatch, typeEnabled } from './sessions.config.ts'

const config = (value: unknown = {}) => sessionConfig.parse(value)
const takes = (value: unknown) => sessionConfig.safeParse(value).success

describe('the session config', () => {
  it('records stills, sound and events by default, and no film, transcript, phone or window title', () => {
    const byDefault = config()
    expect(laneNames.filter((lane) => laneEnabled(byDefault, lane))).toEqual([
      'screen',
      'microphone',
      'system_audio',
      'camera',
      'room_camera',
      'signals',
    ])
    expect(evidenceTypeNames.filter((type) => !typeEnabled(byDefault, type))).toEqual([
      'screen_clip',
      'camera_clip',
      'side_view_clip',
    ])
    expect(byDefault).toMatchObject({ windowTitles: false, pauseAllowed: false, retentionDays: 90, requiredApps: [] })
  })

  it.each([
    ['retentionDays', 1, 3650],
    ['capture.screenshotIntervalSeconds', 1, 3600],
    ['capture.quality', 10, 100],
    ['audio.chunkSeconds', 2, 60],
    ['camera.stillIntervalSeconds', 1, 3600],
    ['camera.clipSeconds', 2, 60],
    ['sideView.previewIntervalSeconds', 2, 300],
  ])('bounds %s from %d to %d, in whole numbers', (path, min, max) => {
    const at = (value: unknown) => path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
    for (const value of [min, max]) expect(takes(at(value)), String(value)).toBe(true)
    for (const value of [min - 1, max + 1, min + 0.5, `${min}`, null, Number.NaN])
      expect(takes(at(value)), String(value)).toBe(false)
  })

  it('names lanes that may be declined, and the screen and the signals are not among them by default', () => {
    expect(config().optionalLanes).not.toContain('screen')
    expect(config().optionalLanes).not.toContain('signals')
    expect(takes({ optionalLanes: [...laneNames] })).toBe(true)
    expect(takes({ optionalLanes: ['keyboard'] })).toBe(false)
    expect(takes({ optionalLanes: Array.from({ length: 21 }, () => 'camera') })).toBe(false)
  })

  it('refuses more applications, and longer names, than anybody needs', () => {
    expect(takes({ requiredApps: ['x'.repeat(100)] })).toBe(true)
    expect(takes({ requiredApps: ['x'.repeat(101)] })).toBe(false)
    expect(takes({ requiredApps: [''] })).toBe(false)
    expect(takes({ requiredApps: Array.from({ length: 21 }, (_, n) => `app ${n}`) })).toBe(false)
  })
})

describe('a lane', () => {
  it('of sound is off where all sound is', () => {
    const silent = config({ audio: { enabled: false, transcript: true } })
    for (const lane of ['microphone', 'system_audio', 'transcript'] as const)
      expect(laneEnabled(silent, lane), lane).toBe(false)
  })

  it('of a camera is off where neither stills nor clips are wanted', () => {
    expect(laneEnabled(config({ camera: { stills: false } }), 'camera')).toBe(false)
    expect(laneEnabled(config({ camera: { stills: false, clips: true } }), 'camera')).toBe(true)
    expect(laneEnabled(config({ camera: { enabled: false, clips: true } }), 'room_camera')).toBe(false)
  })

  it('is switched by nothing but its own part of the config', () => {
    const flags = fc.record({
      capture: fc.record({ enabled: fc.boolean(), recording: fc.boolean() }),
      audio: fc.record({ enabled: fc.boolean(), microphone: fc.boolean(), systemAudio: fc.boolean() }),
      camera: fc.record({ enabled: fc.boolean(), stills: fc.boolean(), clips: fc.boolean() }),
      sideView: fc.record({ enabled: fc.boolean(), recording: fc.boolean() }),
      signals: fc.boolean(),
    })
    fc.assert(
      fc.property(flags, (value) => {
        const read = config(value)
        expect(laneEnabled(read, 'screen')).toBe(value.capture.enabled)
        expect(laneEnabled(read, 'side_view')).toBe(value.sideView.enabled)
        expect(laneEnabled(read, 'signals')).toBe(value.signals)
        expect(laneEnabled(read, 'microphone')).toBe(value.audio.enabled && value.audio.microphone)
      }),
    )
  })
})

describe('a type of evidence', () => {
  it('is asked for by the switch of its medium', () => {
    const films = config({ capture: { recording: true }, camera: { clips: true }, sideView: { recording: true } })
    expect(evidenceTypeNames.every((type) => typeEnabled(films, type))).toBe(true)
    expect(typeEnabled(config({ camera: { stills: false } }), 'camera_frame')).toBe(false)
    for (const type of evidenceTypeNames)
      if (evidenceTypes[type].lane === 'microphone') expect(typeEnabled(config(), type)).toBe(true)
  })
})

describe('a patch of the config', () => {
  it('names only what it changes: no default is filled in', () => {
    expect(sessionConfigPatch.parse({ audio: { transcript: true } })).toEqual({ audio: { transcript: true } })
    expect(sessionConfigPatch.parse({ optionalLanes: [] })).toEqual({ optionalLanes: [] })
  })

  it('takes whatever a whole config may hold', () => {
    const whole = config({ sideView: { enabled: true }, requiredApps: ['Editor'] })
    const { declared: _, ...aids } = whole.aids
    // What a candidate declared is the candidate's alone to change.
    expect(sessionConfigPatch.parse(whole)).toEqual({ ...whole, aids })
  })

  it.each([
    { capture: { quality: 9 } },
    { camera: { stillIntervalSeconds: 0 } },
    { sideView: { previewIntervalSeconds: 1 } },
    { optionalLanes: ['keyboard'] },
    { signals: 'yes' },
  ])('refuses what a whole config refuses: %j', (patch) => {
    expect(sessionConfigPatch.safeParse(patch).success).toBe(false)
  })
})
