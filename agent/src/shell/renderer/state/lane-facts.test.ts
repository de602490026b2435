import { sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { brieflyHowOften, howOften, levelWord } from './lane-facts.ts'

const often = (lane: Parameters<typeof howOften>[0], config: object = {}) => howOften(lane, sessionConfig.parse(config))

describe('how often a lane records', () => {
  it('follows from the policy', () => {
    expect(often('screen', { capture: { screenshotIntervalSeconds: 7 } })).toEqual([{ key: 'often.onChange', n: 7 }])
    expect(often('screen', { capture: { recording: true } })).toContainEqual({ key: 'often.film' })
    expect(often('microphone', { audio: { chunkSeconds: 3 } })).toEqual([{ key: 'often.sound', n: 3 }])
    expect(often('camera', { camera: { stillIntervalSeconds: 1 } })).toEqual([{ key: 'often.everySecond' }])
    expect(often('camera', { camera: { clips: true, clipSeconds: 8, stillIntervalSeconds: 20 } })).toEqual([
      { key: 'often.every', n: 20 },
      { key: 'often.clips', n: 8 },
    ])
    expect(often('camera', { camera: { stills: false, clips: true, clipSeconds: 9 } })).toEqual([
      { key: 'often.onlyClips', n: 9 },
    ])
  })

  it('fits into a table, in few words', () => {
    const brief = (lane: Parameters<typeof howOften>[0], config: object = {}) =>
      brieflyHowOften(lane, sessionConfig.parse(config))
    expect(brief('screen', { capture: { screenshotIntervalSeconds: 7 } })).toEqual({ key: 'brief.seconds', n: 7 })
    expect(brief('screen', { capture: { recording: true } }).key).toBe('brief.always')
    expect(brief('camera', { camera: { clips: true, stillIntervalSeconds: 20 } })).toEqual({
      key: 'brief.secondsAndClips',
      n: 20,
    })
    expect(brief('camera', { camera: { stills: false, clips: true } }).key).toBe('brief.clips')
    expect(brief('room_camera', { camera: { stillIntervalSeconds: 5 } })).toEqual({ key: 'brief.seconds', n: 5 })
    expect(brief('microphone').key).toBe('brief.always')
    expect(brief('signals').key).toBe('brief.changes')
  })
})

it('a level has a word, and digital silence is silence', () => {
  expect([-120, -60, -30, -3].map(levelWord)).toEqual(['none', 'quiet', 'good', 'loud'])
})
