import type { FilmItem, FilmText } from './film.types.ts'

/** Frames from `from` to before `until`. */
export interface FrameSpan<T> {
  readonly from: number
  readonly until: number
  readonly value: T
}

/** The first frame whose moment is not before `ms`. */
const frameAt = (ms: number, framesPerSecond: number): number => Math.ceil((ms * framesPerSecond) / 1000)

/** Splits all frames where anything begins or ends; each part comes with what covers it, in the order of beginning. */
const splitFrames = <T>(entries: readonly FrameSpan<T>[], frames: number): FrameSpan<readonly T[]>[] => {
  const clipped = entries
    .map(({ from, until, value }) => ({ from: Math.max(0, from), until: Math.min(until, frames), value }))
    .filter(({ from, until }) => from < until)
    .sort((a, b) => a.from - b.from)
  const edges = new Set([0, frames, ...clipped.flatMap(({ from, until }) => [from, until])])
  const ordered = [...edges].sort((a, b) => a - b)
  const parts: FrameSpan<readonly T[]>[] = []
  let open: FrameSpan<T>[] = []
  let next = 0
  for (const [index, from] of ordered.slice(0, -1).entries()) {
    open = open.filter((entry) => entry.until > from)
    for (let entry = clipped[next]; entry && entry.from <= from; entry = clipped[++next]) open.push(entry)
    parts.push({ from, until: ordered[index + 1] as number, value: open.map((entry) => entry.value) })
  }
  return parts
}

export type Shown = { readonly item: FilmItem } | { readonly text: string }

/** What a track shows in each of its frames: the last item begun, else the last gap begun, else the empty text. */
export const trackSpans = (
  track: { items: readonly FilmItem[]; gaps: readonly FilmText[]; emptyText: string },
  frames: number,
  framesPerSecond: number,
): FrameSpan<Shown>[] => {
  const frame = (ms: number) => frameAt(ms, framesPerSecond)
  const sorted = [...track.items].sort((a, b) => a.atMs - b.atMs)
  const items = sorted.map((item, index) => {
    const untilMs = Math.min(item.untilMs, sorted[index + 1]?.atMs ?? item.untilMs)
    return { from: frame(item.atMs), until: frame(untilMs), value: { item } }
  })
  const gaps = track.gaps.map((gap) => ({ from: frame(gap.fromMs), until: frame(gap.toMs), value: { text: gap.text } }))
  const shown = splitFrames<Shown>([...items, ...gaps], frames).map(({ from, until, value }) => ({
    from,
    until,
    value: value.findLast((entry) => 'item' in entry) ?? value.at(-1) ?? { text: track.emptyText },
  }))
  return joined(shown)
}

/** The words under the picture in each frame: all that are on, joined. */
export const captionSpans = (
  captions: readonly FilmText[],
  frames: number,
  framesPerSecond: number,
): FrameSpan<string>[] => {
  const frame = (ms: number) => frameAt(ms, framesPerSecond)
  const entries = captions.map(({ fromMs, toMs, text }) => ({ from: frame(fromMs), until: frame(toMs), value: text }))
  return splitFrames(entries, frames).map(({ value, ...span }) => ({ ...span, value: value.join('  ·  ') }))
}

/** An item that goes on while a gap begins or ends behind it is one span still. */
const joined = (spans: readonly FrameSpan<Shown>[]): FrameSpan<Shown>[] => {
  const result: FrameSpan<Shown>[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && isSame(last.value, span.value)) result[result.length - 1] = { ...last, until: span.until }
    else result.push(span)
  }
  return result
}
const isSame = (a: Shown, b: Shown): boolean =>
  'item' in a ? 'item' in b && a.item === b.item : 'text' in b && a.text === b.text
