import { drawCard } from '../../src/platform/film/film-cards.ts'
import { layoutFilm } from '../../src/platform/film/film-layout.ts'
import type { Rectangle } from '../../src/platform/film/pictures.ts'
import type { Looked } from './media-inputs.ts'

/** So far, on average over its pixels, may a card be from what the encoder made of it, of 255. */
const nearest = 8

interface Card {
  readonly text: string
  readonly grey: Uint8Array
}

/** Sentences as cards of a place, as far as they are in a part of it: with one of them a picture can be compared. */
const cardsOf = (
  sentences: readonly string[],
  { part, style }: { readonly part: Rectangle; readonly style: Parameters<typeof drawCard>[1] },
): Promise<Card[]> =>
  Promise.all(
    sentences.map(async (text) => {
      const { data, width } = await drawCard(text, style)
      const grey = new Uint8Array(part.width * part.height)
      for (let y = 0; y < part.height; y += 1)
        for (let x = 0; x < part.width; x += 1)
          grey[y * part.width + x] = Math.round((data[(part.y + y) * width + part.x + x]! - 16) * (255 / 219))
      return { text, grey }
    }),
  )

const distance = (a: Uint8Array, b: Uint8Array): number => {
  let sum = 0
  for (let n = 0; n < a.length; n += 1) sum += Math.abs(a[n]! - b[n]!)
  return sum / a.length
}

/**
 * What the card of a place says in each frame of a film, read from its pixels: of these sentences the one that looks like
 * it. Undefined where a picture is shown. Throws where two sentences look the same.
 */
export const wordsIn = async (
  { grey }: Looked,
  {
    place,
    sentences,
    width,
    height,
  }: {
    /** `screen`, or the number of an inset. */
    readonly place: 'screen' | number
    readonly sentences: readonly string[]
    readonly width: number
    readonly height: number
  },
): Promise<(string | undefined)[]> => {
  const { screen, insets, cardText } = layoutFilm(width, height)
  const isScreen = place === 'screen'
  const at = isScreen ? screen : insets[place]!.place
  const style = { width: at.width, height: at.height, textSize: isScreen ? cardText.screen : cardText.inset }
  // The middle, where the words are: left of the insets, below the names.
  const right = isScreen ? insets[0].outline.x : at.width
  const part = { x: 0, y: Math.round(at.height / 4), width: right, height: Math.round(at.height / 2) }
  const cards = await cardsOf(sentences, { part, style: { ...style, hasEdge: isScreen } })
  return grey({ ...part, x: at.x + part.x, y: at.y + part.y }).map((frame) => {
    const [best, next] = cards
      .map(({ text, grey: card }) => ({ text, off: distance(card, frame) }))
      .sort((a, b) => a.off - b.off)
    if (!best || best.off > nearest) return undefined
    if (next && next.off < 1.5 * best.off) throw new Error(`"${best.text}" and "${next.text}" look the same`)
    return best.text
  })
}
