import { describe, expect, it } from 'vitest'
import { startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import { buildInput } from './plan.test-support.ts'
import { type Laid, layersOf, type PlanInput, type Stretch, soundsOf } from './plan.tracks.model.ts'

const second = 1000
const during = (...runs: readonly [number, number][]): Stretch[] =>
  runs.map(([from, until]) => ({ atMs: from * second, untilMs: until * second }))
const all = during([0, 300])
const times = (observed = all, allowed = observed) => ({ startsAt: startedAt, observed, allowed })
const clip = (at: number, lasts: number | null) =>
  buildInput('screen_clip', at, { durationMs: lasts === null ? null : lasts * second })
const still = (at: number) => buildInput('screenshot', at)

/** What is told to be seen at a moment: the uppermost layer, as its kind and its beginning in seconds. */
const topAt = (layers: readonly Laid[], at: number): string => {
  const isThere = ({ atMs, untilMs }: Laid) => atMs <= at * second && at * second < untilMs
  const top = layers.findLast(isThere)
  return top ? `${top.kind} ${top.beginsMs / second}` : 'nothing'
}
/** The same for the clips alone that lie as long as they told. */
const seen = (clips: PlanInput[], stills: PlanInput[], at: readonly number[], on = times()) => {
  const layers = layersOf(clips, stills, on)
  return at.map((moment) => topAt(layers, moment))
}

describe('the layers of a source', () => {
  it('have recordings above stills, which are seen before and after them', () => {
    expect(seen([clip(5, 10)], [still(0), still(12), still(15)], [4, 5, 14, 15, 299])).toEqual([
      ...['still 0', 'clip 5', 'clip 5', 'still 15', 'still 15'],
    ])
  })

  it('have a recording again, from where it would be by then, when one above it ends', () => {
    expect(seen([clip(1, 30), clip(6, 4)], [], [0, 1, 6, 9.9, 10, 30])).toEqual([
      ...['nothing', 'clip 1', 'clip 6', 'clip 6', 'clip 1', 'clip 1'],
    ])
  })

  it('say the same in whatever order things came', () => {
    const [clips, stills] = [
      [clip(1, 30), clip(6, 4), clip(20, 20)],
      [still(0), still(12)],
    ]
    const moments = Array.from({ length: 60 }, (_, i) => i)
    expect(seen(clips.toReversed(), stills.toReversed(), moments)).toEqual(seen(clips, stills, moments))
  })

  it('join recordings that follow each other within a second', () => {
    const layers = layersOf([clip(1.1, 10), clip(11.2, 10), clip(22.9, 10)], [], times())
    const ends = layers
      .filter(({ beginsMs }) => beginsMs === 1100)
      .map(({ untilMs, toldUntilMs }) => [untilMs, toldUntilMs])
    expect(ends).toEqual([[11_200, 11_200]])
    expect(topAt(layers, 22.5)).toBe('clip 11.2')
  })

  it('show nothing that was captured before the start later than it was', () => {
    const layers = layersOf([clip(-2, 4), clip(-10, 4)], [still(-60)], times())
    expect(layers.filter(({ kind }) => kind === 'clip')).toMatchObject([
      { atMs: 2000, beginsMs: -2000 },
      { atMs: 0, untilMs: 2000, beginsMs: -2000 },
    ])
    expect(layers.some(({ kind }) => kind === 'still')).toBe(false)
    expect(layersOf([], [still(-0.5)], times())).toMatchObject([{ atMs: 0, beginsMs: -500 }])
  })

  it('let a recording go on whose length was not told, until the next one begins', () => {
    expect(seen([clip(1, null), clip(70, null)], [still(20)], [0, 1, 30, 60, 70, 299])).toEqual([
      ...['nothing', 'clip 1', 'clip 1', 'clip 1', 'clip 70', 'clip 70'],
    ])
  })

  it('let a recording that told too little go on until anything else begins, beneath what was told', () => {
    const layers = layersOf([clip(1, 10), clip(5, 30)], [still(20)], times())
    expect(topAt(layers, 12)).toBe('clip 5')
    expect(layers.filter(({ beginsMs, atMs }) => beginsMs === 1000 && atMs === 11_000)).toMatchObject([
      { untilMs: 20_000 },
    ])
  })

  it('show nothing where the source was not observed, and hold no still across it', () => {
    const on = times(during([0, 10], [20, 30]))
    expect(seen([clip(5, 20)], [still(0), still(15)], [4, 9, 10, 19, 20, 24, 26], on)).toEqual([
      ...['still 0', 'clip 5', 'nothing', 'nothing', 'clip 5', 'clip 5', 'clip 5'],
    ])
    expect(seen([], [still(0)], [9, 21], on)).toEqual(['still 0', 'nothing'])
  })

  it('of two hours of stills and recordings are laid out at once', () => {
    const stills = Array.from({ length: 7200 }, (_, i) => still(i))
    const clips = Array.from({ length: 720 }, (_, i) => clip(i * 10, 10))
    expect(layersOf(clips, stills, times(during([0, 7200])))).toHaveLength(7920)
  })
})

describe('sounds', () => {
  const sound = (at: number, lasts: number | null) =>
    buildInput('audio_chunk', at, { durationMs: lasts === null ? null : lasts * second })
  const laid = (...sounds: PlanInput[]) =>
    soundsOf(sounds, times()).map(({ beginsMs, atMs, untilMs }) => [beginsMs, atMs, untilMs].map((ms) => ms / second))

  it('are heard from their own moment, and a little overlap costs the later its beginning', () => {
    expect(laid(sound(0, 10), sound(9.9, 10)).slice(-2)).toEqual([
      [0, 0, 10],
      [9.9, 10, 19.9],
    ])
  })

  it('come back when one that covered them has ended', () => {
    expect(laid(sound(1, 30), sound(6, 4)).slice(-2)).toEqual([
      [1, 1, 31],
      [6, 6, 10],
    ])
  })

  it('of before the start are cut, not moved', () => {
    expect(laid(sound(-2, 3)).at(-1)).toEqual([-2, 0, 1])
    expect(laid(sound(-20, 3))).toEqual([])
  })

  it('whose length was not told go on until the next begins', () => {
    expect(laid(sound(1, null), sound(50, null))).toEqual([
      [1, 1, 50],
      [50, 50, 300],
    ])
  })

  it('are not heard in a gap that somebody told of', () => {
    const on = times(during([0, 10], [20, 30]))
    expect(soundsOf([sound(5, 20)], on).map(({ atMs, untilMs }) => [atMs, untilMs])).toContainEqual([5000, 10_000])
    expect(soundsOf([sound(5, 20)], on).some(({ atMs }) => atMs >= 10_000 && atMs < 20_000)).toBe(false)
  })
})
