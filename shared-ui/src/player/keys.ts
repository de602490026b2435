/** What a key asks of the player. */
export type Command =
  | 'toggle'
  | 'slower'
  | 'faster'
  | 'back'
  | 'on'
  | 'farBack'
  | 'farOn'
  | 'itemBack'
  | 'itemOn'
  | 'momentBack'
  | 'momentOn'
  | 'gap'
  | `front${1 | 2 | 3 | 4 | 5 | 6 | 7}`
  | 'swap'
  | 'rangeFrom'
  | 'rangeTo'
  | 'around'
  | 'note'
  | 'explain'
  | 'words'
  | 'search'
  | 'full'
  | 'nextReview'
  | 'keys'

interface Pressed {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

const plain: Readonly<Record<string, Command>> = {
  ' ': 'toggle',
  k: 'toggle',
  j: 'slower',
  l: 'faster',
  ',': 'itemBack',
  '.': 'itemOn',
  ArrowLeft: 'back',
  ArrowRight: 'on',
  m: 'momentOn',
  g: 'gap',
  s: 'swap',
  '[': 'rangeFrom',
  ']': 'rangeTo',
  n: 'note',
  a: 'around',
  e: 'explain',
  t: 'words',
  '/': 'search',
  f: 'full',
  u: 'nextReview',
  '?': 'keys',
  '1': 'front1',
  '2': 'front2',
  '3': 'front3',
  '4': 'front4',
  '5': 'front5',
  '6': 'front6',
  '7': 'front7',
}
const shifted: Readonly<Record<string, Command>> = { m: 'momentBack', ArrowLeft: 'farBack', ArrowRight: 'farOn' }

/** Of letters by what they write, so that every keyboard layout that has them works. */
const nameOf = (key: string): string => (key.length === 1 ? key.toLowerCase() : key)

/** What a key asks for; undefined for those that are the browser's. */
export const commandOf = ({ key, shiftKey, ctrlKey, altKey, metaKey }: Pressed): Command | undefined => {
  if (ctrlKey || metaKey) return undefined
  const name = nameOf(key)
  // Some layouts write brackets and slashes with Alt or Shift.
  if (altKey && !'[]/?'.includes(name)) return undefined
  return (shiftKey ? shifted[name] : undefined) ?? plain[name]
}

export type KeyRow = readonly [keys: readonly string[], command: Command | 'front']

/** The keys of each command, as the list of keys shows them. */
export const keyRows: readonly KeyRow[] = [
  [['Space', 'K'], 'toggle'],
  [['J'], 'slower'],
  [['L'], 'faster'],
  [['←'], 'back'],
  [['→'], 'on'],
  [['Shift ←'], 'farBack'],
  [['Shift →'], 'farOn'],
  [[','], 'itemBack'],
  [['.'], 'itemOn'],
  [['M'], 'momentOn'],
  [['Shift M'], 'momentBack'],
  [['A'], 'around'],
  [['G'], 'gap'],
  [['1 – 7'], 'front'],
  [['S'], 'swap'],
  [['['], 'rangeFrom'],
  [[']'], 'rangeTo'],
  [['N'], 'note'],
  [['E'], 'explain'],
  [['T'], 'words'],
  [['/'], 'search'],
  [['F'], 'full'],
  [['U'], 'nextReview'],
  [['?'], 'keys'],
]
