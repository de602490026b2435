import { describe, expect, it } from 'vitest'
import type { FilmItem } from './film.types.ts'
import { captionSpans, placeSpans } from './film-spans.ts'

const item = (atMs: number, untilMs: number): FilmItem => ({
  id: `${atMs}`,
  kind: 'still',
  beginsMs: atMs,
  atMs,
  untilMs,
  toldUntilMs: untilMs,
  contentType: 'image/png',
  sizeBytes: 1,
  read: async function* () {
    yield Buffer.alloc(1)
  },
})
/** `from-until layers text` for each span of a place of ten frames a second; an item is named by its moment. */
const spans = (items: readonly FilmItem[], texts: { fromMs: number; toMs: number; text: string }[] = [], frames = 20) =>
  placeSpans({ name: '', items, texts, emptyText: 'empty' }, frames, 10).map(({ from, until, value }) =>
    [`${from}-${until}`, ...value.items.map(({ atMs }) => atMs), value.text].join(' '),
  )

describe('a place for pictures', () => {
  it('says that it is empty where nothing is known', () => {
    expect(spans([])).toEqual(['0-20 empty'])
  })
  it('has an item in layers: the last of the list above, and the one beneath again after it', () => {
    expect(spans([item(0, 9e9), item(1000, 1500)])).toEqual(['0-10 0 empty', '10-15 0 1000 empty', '15-20 0 empty'])
    expect(spans([item(1000, 1500), item(0, 9e9)])).toEqual(['0-10 0 empty', '10-15 1000 0 empty', '15-20 0 empty'])
  })
  it('knows for each moment what its card would say', () => {
    const texts = [{ fromMs: 500, toMs: 1500, text: 'gap' }]
    expect(spans([item(0, 1000)], texts)).toEqual(['0-5 0 empty', '5-10 0 gap', '10-15 gap', '15-20 empty'])
  })
  it('shows an item from the first frame that is not before it', () => {
    expect(spans([item(101, 199)])).toEqual(['0-20 empty'])
    expect(spans([item(101, 201)])).toEqual(['0-2 empty', '2-3 101 empty', '3-20 empty'])
  })
  it('cuts what begins before the film or ends after it, and leaves out what is outside', () => {
    expect(spans([item(-5000, -1000), item(-900, 500), item(1900, 9000), item(9000, 9999)])).toEqual([
      '0-5 -900 empty',
      '5-19 empty',
      '19-20 1900 empty',
    ])
  })
  it('says the later of two texts', () => {
    const texts = [
      { fromMs: 500, toMs: 1000, text: 'part' },
      { fromMs: 0, toMs: 2000, text: 'all' },
    ]
    expect(spans([], texts)).toEqual(['0-5 all', '5-10 part', '10-20 all'])
  })
  it('looks at eight layers of a moment, however many there are', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => item(0, 1000 + i))
    const layers = placeSpans({ name: '', items: many, texts: [], emptyText: '' }, 20, 10)
    expect(Math.max(...layers.map(({ value }) => value.items.length))).toBe(8)
    expect(layers[0]?.value.items.at(-1)).toBe(many.at(-1))
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
