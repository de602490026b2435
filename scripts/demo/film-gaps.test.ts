import { describe, expect, it } from 'vitest'
import { compareGaps, seenBesides } from './film-gaps.ts'

/** A second of frames for each letter: a card or a picture. */
const film = (letters: string) => ({
  lane: 'screen',
  framesPerSecond: 10,
  isCard: letters.split('').flatMap((letter) => Array.from({ length: 10 }, () => letter === 'c')),
})
const span = (from: number, until: number) => ({ fromMs: from * 1000, untilMs: until * 1000 })
const nothing = { gaps: [], besides: [], captured: [] }

describe('a film held against the gaps of its report', () => {
  it('shows the card in every gap, and pictures where there were some', () => {
    const { problems, inGaps, seen } = compareGaps(film('ppccpp'), {
      ...nothing,
      gaps: [span(2, 4)],
      captured: [0, 4500],
    })
    expect(problems).toEqual([])
    expect([inGaps, seen]).toEqual([19, 2])
  })

  it('that holds a picture into a gap is told of, frame by frame', () => {
    const { problems } = compareGaps(film('pppcpp'), { ...nothing, gaps: [span(2, 4)] })
    expect(problems).toHaveLength(9)
    expect(problems[0]).toBe('screen: a picture at 2.1 s, in the gap from 2.0 s on')
  })

  it('that shows nothing where a picture was captured is told of', () => {
    expect(compareGaps(film('cc'), { ...nothing, captured: [1000] }).problems).toEqual([
      'screen: nothing is shown at 1.0 s, where a picture was captured',
    ])
  })

  it('may show another lane in the same place, and says nothing of pictures at the edge of a gap', () => {
    const gaps = [span(0, 4)]
    const { problems } = compareGaps(film('cppc'), { gaps, besides: [span(1, 3)], captured: [4050] })
    expect(problems).toEqual([])
  })

  it('shows another lane from the beginning of its recording until there is something of its own, and not after', () => {
    expect(seenBesides([span(0, 6), span(6, 9)], [2000, 3000, 7000])).toEqual([span(0, 2), span(6, 7)])
    const gaps = [span(3, 6.5)]
    const besides = seenBesides([span(0, 6), span(6, 9)], [2000, 3000])
    expect(compareGaps(film('pppcccppp'), { ...nothing, gaps, besides }).problems).toEqual([])
    expect(compareGaps(film('pppppcppp'), { ...nothing, gaps, besides }).problems).not.toEqual([])
  })
})
