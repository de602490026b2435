import { describe, expect, it } from 'vitest'
import { compareGaps } from './film-gaps.ts'

/** A second of frames for each letter: a card or a picture. */
const film = (letters: string) => ({
  lane: 'screen',
  framesPerSecond: 10,
  isCard: letters.split('').flatMap((letter) => Array.from({ length: 10 }, () => letter === 'c')),
})
const span = (from: number, until: number) => ({ fromMs: from * 1000, untilMs: until * 1000 })

describe('a film held against the account', () => {
  it('shows the card in every gap, and a picture wherever one is held', () => {
    const account = { gaps: [span(2, 4)], held: [span(0, 2), span(4, 6)] }
    expect(compareGaps(film('ppccpp'), account)).toEqual({ problems: [], inGaps: 19, inHeld: 38 })
  })

  it('that shows a picture in a gap, of whatever source, is told of frame by frame', () => {
    const { problems } = compareGaps(film('pppcpp'), { gaps: [span(2, 4)], held: [] })
    expect(problems).toHaveLength(9)
    expect(problems[0]).toBe('screen: a picture at 2.1 s, in a gap')
  })

  it('that shows nothing where something was observed and is held is told of', () => {
    const { problems } = compareGaps(film('pc'), { gaps: [], held: [span(0, 2)] })
    expect(problems).toHaveLength(10)
    expect(problems[0]).toBe('screen: nothing is shown at 1.0 s, where something was observed and is held')
  })

  it('may show either at the edge of a stretch', () => {
    expect(compareGaps(film('pcp'), { gaps: [span(0.95, 2.05)], held: [span(0, 1.05)] }).problems).toEqual([])
  })
})
