import type { Recognised } from '../../core/transcript/types.ts'

interface Word {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly probability: number
}

/** So that what is said without a pause comes in pieces a reader can follow. */
const longestPieceMs = 30_000

const timedWord = /^(\S+) (\d+\.\d{3}) (\d+\.\d{3}) (\d+(?:\.\d+)?(?:e-?\d+)?)$/
/** `<s>`, `<sil>`, `[NOISE]`, `++UH++`: marks of the model, not words. */
const isMark = (text: string): boolean => /^[<[+]/.test(text)

const pieceOf = (words: readonly Word[]): Recognised => ({
  startMs: words[0]!.from,
  endMs: words.at(-1)!.to,
  // `read(2)` is the second way to say "read".
  text: words.map(({ text }) => text.replace(/\(\d+\)$/, '')).join(' '),
  final: true,
  confidence: words.reduce((sum, { probability }) => sum + Math.min(1, probability), 0) / words.length,
})

const pieces = (words: readonly Word[]): Recognised[] => {
  const groups: Word[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    if (group && word.to - group[0]!.from <= longestPieceMs) group.push(word)
    else groups.push([word])
  }
  return groups.map(pieceOf)
}

/**
 * Reads what `pocketsphinx_continuous -time yes` prints: a line with the words of an utterance, then one line for each
 * word (text, begin and end in seconds of the sound since its start, posterior probability), marks among them.
 * Confidence is the mean of the words' posteriors.
 */
export class PocketsphinxLines {
  readonly #onWords: (recognised: Recognised) => void
  #expected = 0
  #words: Word[] = []

  constructor(onWords: (recognised: Recognised) => void) {
    this.#onWords = onWords
  }

  line(line: string): void {
    const timed = timedWord.exec(line)
    if (!timed) {
      this.flush()
      this.#expected = line.split(' ').filter((word) => word !== '').length
      return
    }
    const [, text = '', from, to, probability] = timed
    if (this.#expected === 0 || isMark(text)) return
    const milliseconds = (seconds: string | undefined): number => Math.round(Number(seconds) * 1000)
    this.#words.push({ text, from: milliseconds(from), to: milliseconds(to), probability: Number(probability) })
    if (this.#words.length === this.#expected) this.flush()
  }

  /** Gives what is there of an utterance whose lines have ended. */
  flush(): void {
    const words = this.#words
    this.#words = []
    this.#expected = 0
    for (const piece of pieces(words)) this.#onWords(piece)
  }
}
