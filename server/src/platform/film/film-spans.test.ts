import { describe, expect, it } from 'vitest'
import type { FilmItem } from './film.types.ts'
import { captionSpans, trackSpans } from './film-spans.ts'

const item = (atMs: number, untilMs: number): FilmItem => ({
  ...{ kind: 'still', atMs, untilMs, contentType: 'image/png', sizeBytes: 1 },
  read: async function* () {
    yield Buffer.alloc(1)
  },
})
/** `from-until what` for each span of a track of ten frames a second; an item is named by its moment. */
const spans = (items: readonly FilmItem[], gaps: { fromMs: number; toMs: number; text: string }[] = [], frames = 20) =>
  trackSpans({ items, gaps, emptyText: 'empty' }, frames, 10).map(
    ({ from, until, value }) => `${from}-${until} ${'item' in value ? value.item.atMs : value.text}`,
  )

describe('a track of pictures', () => {
  it('says that it is empty where nothing is known', () => {
    expect(spans([])).toEqual(['0-20 empty'])
  })
  it('shows an item until the next one, however long it would hold', () => {
    expect(spans([item(0, 9e9), item(1000, 1500)])).toEqual(['0-10 0', '10-15 1000', '15-20 empty'])
  })
  it('takes items in the order of time, whatever order they come in', () => {
    expect(spans([item(1000, 2000), item(0, 2000)])).toEqual(['0-10 0', '10-20 1000'])
  })
  it('shows a picture rather than a gap', () => {
    const gaps = [{ fromMs: 500, toMs: 1500, text: 'gap' }]
    expect(spans([item(0, 1000)], gaps)).toEqual(['0-10 0', '10-15 gap', '15-20 empty'])
  })
  it('shows an item from the first frame that is not before it', () => {
    expect(spans([item(101, 199)])).toEqual(['0-20 empty'])
    expect(spans([item(101, 201)])).toEqual(['0-2 empty', '2-3 101', '3-20 empty'])
  })
  it('cuts what begins before the film or ends after it, and leaves out what is outside', () => {
    expect(spans([item(-5000, -1000), item(-900, 500), item(1900, 9000), item(9000, 9999)])).toEqual([
      '0-5 -900',
      '5-19 empty',
      '19-20 1900',
    ])
  })
  it('says the later of two gaps', () => {
    const gaps = [
      { fromMs: 0, toMs: 2000, text: 'all' },
      { fromMs: 500, toMs: 1000, text: 'part' },
    ]
    expect(spans([], gaps)).toEqual(['0-5 all', '5-10 part', '10-20 all'])
  })
})

describe('captions', () => {
  it('are joined while several are on', () => {
    const captions = [
      { fromMs: 0, toMs: 1000, text: 'one' },
      { fromMs: 500, toMs: 1500, text: 'two' },
    ]
    expect(captionSpans(captions, 20, 10).map(({ from, value }) => `${from} ${value}`)).toEqual([
      '0 one',
      '5 one  ·  two',
      '10 two',
      '15 ',
    ])
  })
})
