import { describe, expect, it } from 'vitest'
import { source } from './player.test-support.ts'
import { type IndexSource, itemAt, itemsBetween, lastBefore, openingMs, stretchAt, timelineOf } from './timeline.ts'

const trackOf = (given: IndexSource) => timelineOf([given]).tracks[0]!
const observed = (from: number, to: number, held = true) => [from, to, 'observed', null, held] as const
const gap = (from: number, to: number) => [from, to, 'gap', 'unplugged', false] as const

describe('the time of an interview', () => {
  it('begins with what is earliest, at the start otherwise, and ends with what is last', () => {
    const { fromMs, toMs } = timelineOf([
      source('screen', { at: [-500, 3000], account: [observed(-2000, 9000)] }),
      source('camera', { at: [8000], durations: [30_000] }),
    ])
    expect([fromMs, toMs]).toEqual([-2000, 38_000])
    const { fromMs: start, toMs: end } = timelineOf([])
    expect([start, end]).toEqual([0, 0])
  })

  it('has pictures, sound and words', () => {
    const { tracks } = timelineOf([
      source('screen:d1'),
      source('microphone', { lane: 'microphone' }),
      source('system_audio', { lane: 'system_audio' }),
      source('transcript', { lane: 'transcript' }),
    ])
    expect(tracks.map(({ kind }) => kind)).toEqual(['pictures', 'sound', 'sound', 'words'])
  })

  it('opens at the first picture, at its begin where there is none', () => {
    const sound = source('microphone', { at: [0], durations: [10_000], lane: 'microphone' })
    expect(openingMs(timelineOf([sound, source('camera', { at: [7000] }), source('screen', { at: [5000] })]))).toBe(
      5000,
    )
    expect(openingMs(timelineOf([sound]))).toBe(0)
  })

  it('has no items where they may not be seen', () => {
    const { items, ...others } = source('screen', { account: [observed(0, 1000)] })
    expect(items).toBeDefined()
    expect(timelineOf([others])).toMatchObject({ toMs: 1000, tracks: [{ items: [] }] })
  })
})

describe('a still', () => {
  it('stands until the next one', () => {
    const track = trackOf(source('screen', { at: [0, 5000], account: [observed(0, 20_000)] }))
    expect(itemAt(track, 4999)?.id).toBe('screen@0')
    expect(itemAt(track, 5000)?.id).toBe('screen@5000')
    expect(itemAt(track, 19_999)?.id).toBe('screen@5000')
    expect(itemAt(track, 20_000)).toBeUndefined()
  })

  it('does not stand in time that the account calls a gap, nor come back behind it', () => {
    const account = [observed(0, 6000), gap(6000, 9000), observed(9000, 20_000)]
    const track = trackOf(source('screen', { at: [0, 12_000], account }))
    expect(itemAt(track, 5999)?.id).toBe('screen@0')
    expect(itemAt(track, 6000)).toBeUndefined()
    expect(itemAt(track, 10_000)).toBeUndefined()
    expect(itemAt(track, 12_000)?.id).toBe('screen@12000')
  })

  it('does not stand in observed time for which nothing is held', () => {
    const track = trackOf(source('screen', { at: [0], account: [observed(0, 6000), observed(6000, 9000, false)] }))
    expect(itemAt(track, 6000)).toBeUndefined()
    expect(stretchAt(track, 6000)).toMatchObject({ state: 'observed', held: false })
  })

  it('is seen by whoever steps to it, even where its account says otherwise', () => {
    const track = trackOf(source('screen', { at: [7000], account: [gap(6000, 9000)] }))
    expect(itemAt(track, 7000)?.id).toBe('screen@7000')
    expect(itemAt(track, 7001)).toBeUndefined()
  })

  it('without any account stands until the next, the last one for itself', () => {
    const track = trackOf(source('screen', { at: [0, 1000] }))
    expect(itemAt(track, 999)?.id).toBe('screen@0')
    expect(itemAt(track, 1000)?.id).toBe('screen@1000')
  })
})

describe('a recording', () => {
  const track = trackOf(
    source('screen', { at: [0, 4000, 30_000], durations: [10_000, null, 5000], account: [observed(0, 40_000)] }),
  )
  it('lasts as long as it says', () => {
    expect(itemAt(track, 34_999)?.id).toBe('screen@30000')
    expect(itemAt(track, 35_000)?.id).toBeUndefined()
  })

  it('gives way to what begins in it, which is then what is shown', () => {
    expect(itemAt(track, 3999)?.id).toBe('screen@0')
    expect(itemAt(track, 4000)?.id).toBe('screen@4000')
  })

  it('comes back behind what it was covered by', () => {
    const covered = trackOf(source('screen', { at: [0, 4000], durations: [10_000, 1000] }))
    expect(itemAt(covered, 6000)?.id).toBe('screen@0')
  })
})

describe('items of a stretch of time', () => {
  const track = trackOf(source('screen', { at: [0, 5000, 10_000, 15_000], account: [observed(0, 20_000)] }))
  it('are those that begin in it, and the one that it begins in', () => {
    const ids = (from: number, to: number) => itemsBetween(track, from, to).map(({ atMs }) => atMs)
    expect(ids(0, 5000)).toEqual([0])
    expect(ids(2000, 10_001)).toEqual([0, 5000, 10_000])
    expect(ids(5000, 5001)).toEqual([5000])
    expect(ids(16_000, 17_000)).toEqual([15_000])
    expect(ids(30_000, 40_000)).toEqual([])
  })
})

describe('the last one before an instant', () => {
  it('is found among any number', () => {
    for (const length of [0, 1, 2, 3, 7, 100])
      for (let at = -1; at <= length * 10; at += 1)
        expect(lastBefore((index) => index * 10, length, at)).toBe(
          Math.min(length - 1, at < 0 ? -1 : Math.floor(at / 10)),
        )
  })
})
