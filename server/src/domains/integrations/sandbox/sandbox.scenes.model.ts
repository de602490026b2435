/** What the simulated candidate's screen shows: a program in an editor that grows, and a page that is read now and then. */

/** Lines of the program, in the order in which they are written, by their place from the top. */
export const program = [
  "import { expect, test } from 'vitest'",
  '',
  '/** A booking, in minutes of the day. */',
  'interface Booking { begins: number; ends: number }',
  '',
  '// The most bookings that overlap at any time.',
  'export const mostAtOnce = (all: Booking[]): number => {',
  '  const changes = all.flatMap(({ begins, ends }) => [',
  '    { at: begins, by: 1 },',
  '    { at: ends, by: -1 },',
  '  ])',
  '  // An end comes before a beginning at the same time.',
  '  changes.sort((a, b) => a.at - b.at || a.by - b.by)',
  '  let [open, most] = [0, 0]',
  '  for (const { by } of changes) {',
  '    open += by',
  '    most = Math.max(most, open)',
  '  }',
  '  return most',
  '}',
  '',
  "test('no booking is none at once', () => {",
  '  expect(mostAtOnce([])).toBe(0)',
  '})',
  "test('one that ends is over', () => {",
  '  const day = [{ begins: 0, ends: 9 }, { begins: 9, ends: 12 }]',
  '  expect(mostAtOnce(day)).toBe(1)',
  '})',
] as const

/** Of the program there is when the interview begins. */
const linesAtStart = 3
/** Seconds after which two thirds of the program are written; what is left takes longer and longer. */
const pace = 500
/** The page is in front for one picture in six. */
const pageEvery = 180
const pageFor = 30

export type Scene =
  | { readonly show: 'editor'; readonly lines: number }
  | { readonly show: 'page'; readonly read: number }

/** What is in front at a second of the interview. */
export const sceneAt = (seconds: number): Scene =>
  seconds >= pageEvery && seconds % pageEvery < pageFor
    ? { show: 'page', read: Math.floor(seconds / pageEvery) }
    : {
        show: 'editor',
        lines: linesAtStart + Math.round((program.length - linesAtStart) * (1 - Math.exp(-seconds / pace))),
      }

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const painted = (colour: string, text: string): string => `<span foreground="${colour}">${text}</span>`

const words = /(\/\*.*|\/\/.*)|('[^']*')|\b(import|from|export|const|let|for|of|return|interface|number)\b|(\b\d+\b)/g
const inks = ['#6b7394', '#9ece6a', '#bb9af7', '#ff9e64'] as const

/** One line of the program as Pango markup, in the colours of an editor. */
export const codeMarkup = (line: string): string => {
  let done = 0
  let markup = ''
  for (const match of line.matchAll(words)) {
    const kind = match.slice(1).findIndex((group) => group !== undefined)
    markup += painted('#c0caf5', escaped(line.slice(done, match.index)))
    markup += painted(inks[kind] ?? '#c0caf5', escaped(match[0]))
    done = match.index + match[0].length
  }
  return markup + painted('#c0caf5', escaped(line.slice(done)))
}

/** Paragraphs of the page, of which another is marked each time that it is read. */
export const page = {
  address: 'docs.example/arrays/sort',
  title: 'Sorting an array',
  paragraphs: [
    'sort(compare) puts the elements of an array in order and answers the same array.',
    'The sort is stable: elements that compare as equal keep the order they had.',
    'compare(a, b) answers less than 0 when a comes first, more when b does.',
    'Without compare, elements are ordered as text: 10 comes before 9.',
    'toSorted(compare) answers a new array and leaves the old one as it was.',
  ],
} as const
