import { describe, expect, it } from 'vitest'
import { Clock, rateBeside, rates } from './clock.ts'
import { commandOf, keyRows } from './keys.ts'
import { levelColumns } from './levels.ts'
import { drawnMarks } from './marks.ts'
import { source } from './player.test-support.ts'
import { noRange, playTime, withEnd } from './range.ts'
import { SeenTime } from './seen-time.ts'
import { gapJump, itemBeside, momentAt, momentBeside, nextOf } from './steps.ts'
import { timelineOf } from './timeline.ts'
import { searchSpeech, speechAround } from './words.ts'

const none = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false }

describe('keys', () => {
  it.each([
    [' ', 'toggle'],
    ['K', 'toggle'],
    ['ArrowLeft', 'back'],
    [',', 'itemBack'],
    ['7', 'front7'],
    ['8', undefined],
    ['[', 'rangeFrom'],
    ['?', 'keys'],
    ['Enter', undefined],
    ['Tab', undefined],
  ])('%s asks for %s', (key, command) => {
    expect(commandOf({ ...none, key })).toBe(command)
  })

  it('mean something else with Shift, and are the browser’s with Ctrl or Alt', () => {
    expect(commandOf({ ...none, key: 'M', shiftKey: true })).toBe('momentBack')
    expect(commandOf({ ...none, key: 'ArrowRight', shiftKey: true })).toBe('farOn')
    expect(commandOf({ ...none, key: '?', shiftKey: true })).toBe('keys')
    expect(commandOf({ ...none, key: 'f', ctrlKey: true })).toBeUndefined()
    expect(commandOf({ ...none, key: 'ArrowLeft', altKey: true })).toBeUndefined()
    expect(commandOf({ ...none, key: '[', altKey: true })).toBe('rangeFrom')
  })

  it('are all listed', () => {
    expect(new Set(keyRows.map(([, command]) => command)).size).toBe(24)
  })
})

describe('steps', () => {
  const places = [{ atMs: 1000 }, { atMs: 5000 }]
  it('go to the next and the one before, past the one where the player is', () => {
    expect(nextOf(places, 0, 1)).toEqual({ atMs: 1000 })
    expect(nextOf(places, 1000, 1)).toEqual({ atMs: 5000 })
    expect(nextOf(places, 5000, 1)).toBeUndefined()
    expect(nextOf(places, 5000, -1)).toEqual({ atMs: 1000 })
    expect(nextOf(places, 1000, -1)).toBeUndefined()
  })

  it('reach each of several moments at one instant, on and back, while it plays on too', () => {
    const moments = ['a', 'b', 'c', 'd', 'e'].map((id, index) => ({ id, atMs: [1000, 5000, 5000, 5020, 9000][index]! }))
    const walk = (direction: 1 | -1, from: number, driftMs = 0) => {
      let [atMs, gone] = [from, -1]
      const seen: string[] = []
      for (let steps = 0; steps < 9; steps += 1) {
        const moment = momentBeside(moments, { atMs, gone, direction })
        if (!moment) break
        seen.push(moment.id)
        ;[atMs, gone] = [moment.atMs + driftMs, moments.indexOf(moment)]
        expect(momentAt(moments, moment.atMs, gone)).toBe(moment)
      }
      return seen.join('')
    }
    expect(walk(1, 0)).toBe('abcde')
    expect(walk(1, 0, 400)).toBe('abcde')
    expect(walk(-1, 10_000)).toBe('edcba')
    // Somebody has gone elsewhere since.
    expect(momentBeside(moments, { atMs: 8000, gone: 1, direction: 1 })?.id).toBe('e')
    expect(momentAt(moments, 8000, 1)?.id).toBe('d')
  })

  const observed = (from: number, to: number) => [from, to, 'observed', null, true] as const
  const account = [observed(0, 10_000), [10_000, 20_000, 'gap', 'unplugged', false] as const, observed(20_000, 30_000)]
  const track = timelineOf([source('screen', { at: [0, 5000, 22_000], account })]).tracks[0]!

  it('go by item, back from the begin of the one that is shown', () => {
    expect(itemBeside(track, 6000, -1)?.atMs).toBe(0)
    expect(itemBeside(track, 6000, 1)?.atMs).toBe(22_000)
    expect(itemBeside(track, 22_000, 1)).toBeUndefined()
    expect(itemBeside(track, 15_000, 1)?.atMs).toBe(22_000)
    expect(itemBeside(track, 15_000, -1)?.atMs).toBe(5000)
    expect(itemBeside(track, 0, -1)).toBeUndefined()
  })

  it('go by item however close together these are', () => {
    const close = timelineOf([source('screen', { at: [0, 3, 6] })]).tracks[0]!
    expect(itemBeside(close, 0, 1)?.atMs).toBe(3)
    expect(itemBeside(close, 3, 1)?.atMs).toBe(6)
  })

  it('go to the next gap, and out of it', () => {
    expect(gapJump(track, 0)).toBe(10_000)
    expect(gapJump(track, 12_000)).toBe(20_000)
    expect(gapJump(track, 25_000)).toBeUndefined()
  })
})

describe('words', () => {
  const speech = {
    atMs: [0, 4000, 9000],
    untilMs: [3000, 8000, 9500],
    speaker: ['candidate', 'interviewer', 'candidate'],
    text: ['Déjà vu', 'नमस्ते जी', 'And then'],
  }
  it('are those that are being said, and the ones before', () => {
    expect(speechAround(speech, 5000, 2).map(({ text }) => text)).toEqual(['Déjà vu', 'नमस्ते जी'])
    expect(speechAround(speech, -1, 2)).toEqual([])
  })

  it('are found whatever their case and accents, in any script', () => {
    const found = (words: string) => searchSpeech(speech, words, 10).map(({ atMs }) => atMs)
    expect(found('deja')).toEqual([0])
    expect(found(' AND ')).toEqual([9000])
    expect(found('नमस्ते')).toEqual([4000])
    expect(found('नमसत')).toEqual([])
    expect(found('  ')).toEqual([])
    expect(searchSpeech(speech, 'e', 1)).toHaveLength(1)
  })
})

describe('the clock', () => {
  it('runs at its rate, from where it was when that changed', () => {
    let now = 0
    const clock = new Clock(() => now, 1000)
    now = 500
    expect(clock.atMs).toBe(1000)
    clock.run()
    now = 1500
    expect(clock.atMs).toBe(2000)
    clock.rate = 2
    now = 2000
    expect(clock.atMs).toBe(3000)
    clock.halt()
    now = 9000
    expect([clock.atMs, clock.running]).toEqual([3000, false])
  })

  it('has rates from a half to four', () => {
    expect([rates[0], rates.at(-1)]).toEqual([0.5, 4])
    expect([rateBeside(1, 1), rateBeside(4, 1), rateBeside(0.5, -1)]).toEqual([1.25, 4, 0.5])
  })
})

describe('marks', () => {
  it('are one for each pixel and kind, of those that lie in the picture', () => {
    const marks = Array.from({ length: 20_000 }, (_, index) => ({ atMs: index, kind: 'moment' as const }))
    const drawn = drawnMarks([...marks, { atMs: 0, kind: 'note' }], { fromMs: 0, toMs: 20_000, width: 800 })
    expect(drawn).toHaveLength(801)
    expect(drawnMarks(marks, { fromMs: 0, toMs: 0, width: 800 })).toEqual([])
  })
})

describe('levels', () => {
  it('are the loudest of each column, and nothing where nothing is known', () => {
    const sound = source('microphone', { at: [0, 1000], durations: [1000, 1000], lane: 'microphone' })
    const track = timelineOf([sound]).tracks[0]!
    const levels = (id: string) => (id === 'microphone@0' ? new Uint8Array([0, 51, 255, 0]) : undefined)
    const columns = levelColumns(track, { fromMs: 0, toMs: 2000, columns: 10 }, levels)
    expect(columns).toEqual([0.2, 1, ...Array.from({ length: 8 }, () => null)])
  })
})

describe('a range', () => {
  it('has either end first, and lets go of an end on the wrong side', () => {
    expect(withEnd(withEnd(noRange, 'from', 5), 'to', 9)).toEqual({ fromMs: 5, toMs: 9 })
    expect(withEnd(withEnd(noRange, 'to', 9), 'from', 5)).toEqual({ fromMs: 5, toMs: 9 })
    expect(withEnd({ fromMs: 5, toMs: 9 }, 'from', 12)).toEqual({ fromMs: 12, toMs: undefined })
    expect(withEnd({ fromMs: 5, toMs: 9 }, 'to', 3)).toEqual({ fromMs: undefined, toMs: 3 })
  })

  it('is written as a time of the interview', () => {
    expect([0, 65_000, 3_723_000, -5000, -300].map(playTime)).toEqual(['0:00', '1:05', '1:02:03', '−0:05', '0:00'])
  })
})

describe('what has been seen', () => {
  it('joins what touches, and leaves out what was jumped over', () => {
    const seen = new SeenTime()
    seen.at(0, true)
    seen.at(500, true)
    seen.at(9000, true)
    seen.at(9500, true)
    expect(seen.spans.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
      [0, 500],
      [9000, 9500],
    ])
    seen.at(600, false)
    seen.at(100, false)
    expect([seen.totalMs, seen.has(1200), seen.has(2000)]).toEqual([2100, true, false])
  })
})
