import type { FilmItem, FilmPlace, FilmText } from './film.types.ts'

/** Frames from `from` to before `until`. */
export interface FrameSpan<T> {
  readonly from: number
  readonly until: number
  readonly value: T
}

/** What a place can show: its layers, of which the last is asked first, and what its card says when none has a picture. */
export interface Layers {
  readonly items: readonly FilmItem[]
  readonly text: string
}

/** However much strangers lay over each other, no more is looked at in one moment; what is lowest is left out. */
const mostLayers = 8

/** The first frame whose moment is not before `ms`. */
const frameAt = (ms: number, framesPerSecond: number): number => Math.ceil((ms * framesPerSecond) / 1000)

/** Splits all frames where anything begins or ends; each part comes with what covers it, in the order of the entries. */
export const splitSpans = <T>(entries: readonly FrameSpan<T>[], frames: number): FrameSpan<readonly T[]>[] => {
  const clipped = entries
    .map(({ from, until, value }, rank) => ({ from: Math.max(0, from), until: Math.min(until, frames), value, rank }))
    .filter(({ from, until }) => from < until)
    .sort((a, b) => a.from - b.from)
  const edges = new Set([0, frames, ...clipped.flatMap(({ from, until }) => [from, until])])
  const ordered = [...edges].sort((a, b) => a - b)
  const parts: FrameSpan<readonly T[]>[] = []
  let open: typeof clipped = []
  let next = 0
  for (const [index, from] of ordered.slice(0, -1).entries()) {
    open = open.filter((entry) => entry.until > from)
    for (let entry = clipped[next]; entry && entry.from <= from; entry = clipped[++next]) open.push(entry)
    open = open.sort((a, b) => a.rank - b.rank).slice(-mostLayers)
    parts.push({ from, until: ordered[index + 1] as number, value: open.map((entry) => entry.value) })
  }
  return parts
}

const spanOf = <T>(fromMs: number, toMs: number, value: T, framesPerSecond: number): FrameSpan<T> => ({
  from: frameAt(fromMs, framesPerSecond),
  until: frameAt(toMs, framesPerSecond),
  value,
})

const byBeginning = (a: FilmText, b: FilmText): number => a.fromMs - b.fromMs

/** What a place can show in each of its frames. */
export const placeSpans = (
  { items, texts, emptyText }: FilmPlace,
  frames: number,
  framesPerSecond: number,
): FrameSpan<Layers>[] => {
  const layers = items.map((item) => spanOf(item.atMs, item.untilMs, item, framesPerSecond))
  const shown = splitSpans(layers, frames)
  const sorted = [...texts].sort(byBeginning)
  const said = splitSpans(
    sorted.map(({ fromMs, toMs, text }) => spanOf(fromMs, toMs, text, framesPerSecond)),
    frames,
  )
  const result: FrameSpan<Layers>[] = []
  for (let [from, item, text] = [0, 0, 0]; from < frames; ) {
    const [above, below] = [shown[item], said[text]]
    if (!above || !below) break
    const until = Math.min(above.until, below.until)
    result.push({ from, until, value: { items: above.value, text: below.value.at(-1) ?? emptyText } })
    if (above.until === until) item += 1
    if (below.until === until) text += 1
    from = until
  }
  return joined(result)
}

/** The words under the picture in each frame: all that are on, joined. */
export const captionSpans = (
  captions: readonly FilmText[],
  frames: number,
  framesPerSecond: number,
): FrameSpan<string>[] => {
  const entries = [...captions].sort(byBeginning)
  return splitSpans(
    entries.map(({ fromMs, toMs, text }) => spanOf(fromMs, toMs, text, framesPerSecond)),
    frames,
  ).map(({ value, ...span }) => ({ ...span, value: value.join('  ·  ') }))
}

/** Neighbours that are the same are one. */
const joined = (spans: readonly FrameSpan<Layers>[]): FrameSpan<Layers>[] => {
  const result: FrameSpan<Layers>[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && isSame(last.value, span.value)) result[result.length - 1] = { ...last, until: span.until }
    else result.push(span)
  }
  return result
}
const isSame = (a: Layers, b: Layers): boolean =>
  a.text === b.text && a.items.length === b.items.length && a.items.every((item, i) => item === b.items[i])
