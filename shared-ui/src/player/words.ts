import { lastBefore } from './timeline.ts'

/** Speech in columns, as the index has it; times in milliseconds since the session started. */
export interface Speech {
  readonly atMs: readonly number[]
  readonly untilMs: readonly number[]
  readonly speaker: readonly string[]
  /** Who says which speaker it was; undefined where a service of before does not tell. */
  readonly speakerSaidBy?: string
  readonly text: readonly string[]
}

export interface Said {
  readonly atMs: number
  readonly untilMs: number
  readonly speaker: string
  readonly text: string
}

const saidAt = (speech: Speech, index: number): Said => ({
  atMs: speech.atMs[index] ?? 0,
  untilMs: speech.untilMs[index] ?? 0,
  speaker: speech.speaker[index] ?? '',
  text: speech.text[index] ?? '',
})

/** What is being said, and what was said just before. */
export const speechAround = (speech: Speech, atMs: number, most: number): Said[] => {
  const last = lastBefore((index) => speech.atMs[index]!, speech.atMs.length, atMs)
  const first = Math.max(0, last - most + 1)
  return Array.from({ length: last - first + 1 }, (_, index) => saidAt(speech, first + index))
}

/** How words are compared: without case and without Latin accents. The vowel signs of other scripts are letters. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLocaleLowerCase()

/** What was said that has these words, in order of time. */
export const searchSpeech = (speech: Speech, words: string, most: number): Said[] => {
  const wanted = folded(words.trim())
  if (wanted === '') return []
  const found: Said[] = []
  for (let index = 0; index < speech.text.length && found.length < most; index += 1)
    if (folded(speech.text[index]!).includes(wanted)) found.push(saidAt(speech, index))
  return found
}
