import { describe, expect, it } from 'vitest'
import { BesideItems } from './beside-items.ts'
import { reels, settled, source } from './player.test-support.ts'
import { timelineOf } from './timeline.ts'

const at = Array.from({ length: 200 }, (_, index) => index * 10_000)

describe('small pictures', () => {
  const begun = () => {
    const answers = reels()
    const track = timelineOf([source('screen', { at, contentType: 'image/png' })]).tracks[0]!
    const small = new BesideItems({ track, size: 'small', ports: answers.ports })
    small.tick()
    return { ...answers, small }
  }

  it('come ten minutes at a time, one reel after another, until all are there', async () => {
    const { asked, last, small } = begun()
    for (let turn = 0; turn < 10 && !last().signal.aborted; turn += 1) {
      const { fromMs, toMs } = last()
      last().arrive(...at.filter((ms) => ms >= fromMs && ms < toMs))
      const before = asked.length
      await last().end(toMs)
      if (asked.length === before) break
    }
    expect(asked.map(({ size, fromMs }) => [size, fromMs])).toEqual([
      ['small', 0],
      ['small', 600_000],
      ['small', 1_200_000],
      ['small', 1_800_000],
    ])
    expect(small.get('screen@1990000')).toMatchObject({ contentType: 'image/webp' })
  })

  it('are none where nobody made one, and told of as they come', async () => {
    const { last, small } = begun()
    let told = 0
    small.subscribe(() => {
      told += 1
    })
    last().hand({ id: 'screen@0', absent: 'not_made', bytes: new Uint8Array(0) })
    await settled()
    expect(small.get('screen@0')).toBeUndefined()
    expect([told, small.arrived()]).toEqual([1, 1])
    small.stop()
    expect(last().signal.aborted).toBe(true)
  })

  it('that the service is making are asked for again after a while', async () => {
    const { asked, last, small, pass } = begun()
    last().hand({ id: 'screen@0', absent: 'being_made', bytes: new Uint8Array(0) })
    await last().end(10_000)
    small.tick()
    expect(asked.map(({ fromMs }) => fromMs)).toEqual([0, 10_000])
    pass(3000)
    await last().end(610_000)
    expect(last().fromMs).toBe(0)
    last().arrive(0)
    await last().end(10_000)
    expect(small.get('screen@0')).toMatchObject({ contentType: 'image/webp' })
  })

  it('wait where somebody waits for something else, and go on when they are asked again', async () => {
    const { asked, last, ports } = reels()
    const track = timelineOf([source('screen', { at })]).tracks[0]!
    let mayLoad = false
    const small = new BesideItems({ track, size: 'small', ports, mayLoad: () => mayLoad })
    small.tick()
    expect(asked).toEqual([])
    mayLoad = true
    small.tick()
    expect([asked.length, small.loading]).toEqual([1, true])
    mayLoad = false
    last().arrive(...at.slice(0, 60))
    await last().end(600_000)
    expect([asked.length, small.loading]).toEqual([1, false])
  })

  it('are tried again after a failure, when it is time', async () => {
    const { asked, last, small, pass } = begun()
    await last().fail(new Error('no network'))
    expect(asked).toHaveLength(1)
    pass(5000)
    small.tick()
    expect(asked).toHaveLength(2)
  })
})

describe('levels', () => {
  it('are asked for of all sound, as the service makes those that nobody sent', async () => {
    const { asked, last, ports, pass } = reels()
    const given = source('microphone', { at: [0, 10_000], durations: [10_000, 10_000], lane: 'microphone' })
    const levels = new BesideItems({ track: timelineOf([given]).tracks[0]!, size: 'levels', ports })
    levels.tick()
    expect(asked).toMatchObject([{ size: 'levels', fromMs: 0 }])
    last().hand({ id: 'microphone@0', absent: 'being_made', bytes: new Uint8Array(0) })
    last().arrive(10_000)
    await last().end(null)
    pass(3000)
    levels.tick()
    last().arrive(0)
    await last().end(10_000)
    expect(['microphone@0', 'microphone@10000'].map((id) => levels.get(id) !== undefined)).toEqual([true, true])
  })

  it('that the service does not get round to making are asked for ever less often, and given up', async () => {
    const { asked, last, ports, pass } = reels()
    const given = source('microphone', { at: [0], durations: [10_000], lane: 'microphone' })
    const levels = new BesideItems({ track: timelineOf([given]).tracks[0]!, size: 'levels', ports })
    let seconds = 0
    for (let answered = 0; seconds < 600; seconds += 1) {
      levels.tick()
      if (asked.length > answered) {
        answered = asked.length
        last().hand({ id: 'microphone@0', absent: 'being_made', bytes: new Uint8Array(0) })
        await last().end(null)
      }
      pass(1000)
    }
    // At once, ten times after 3 s, 6 s, 9 s each, and nine after 12 s; the last answer is kept.
    expect(asked).toHaveLength(41)
    expect(levels.get('microphone@0')).toBeUndefined()
  })
})
