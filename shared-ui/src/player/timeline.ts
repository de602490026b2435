/** What a player needs of the index of an interview. All times are milliseconds since the session started. */
export interface IndexSource {
  readonly source: string
  readonly lane: string
  readonly account: readonly (readonly [
    fromMs: number,
    toMs: number,
    state: string,
    reason: string | null,
    held: boolean,
  ])[]
  /** Absent for whoever may not view evidence. */
  readonly items?:
    | {
        readonly id: readonly string[]
        readonly atMs: readonly number[]
        readonly durationMs: readonly (number | null)[]
        readonly sizeBytes: readonly number[]
        readonly contentType: readonly string[]
      }
    | undefined
}

export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
  readonly state: string
  readonly reason: string | null
  readonly held: boolean
}

export interface Item {
  readonly id: string
  readonly atMs: number
  /** It is what is shown or heard up to, not including, then. */
  readonly untilMs: number
  readonly sizeBytes: number
  readonly contentType: string
}

export type TrackKind = 'pictures' | 'sound' | 'words'

/** What one display, camera or microphone recorded, and the account of its time. */
export interface Track {
  readonly source: string
  readonly lane: string
  readonly kind: TrackKind
  readonly stretches: readonly Stretch[]
  /** In order of time. */
  readonly items: readonly Item[]
}

export interface Timeline {
  readonly fromMs: number
  readonly toMs: number
  readonly tracks: readonly Track[]
}

const kinds: Readonly<Record<string, TrackKind>> = {
  microphone: 'sound',
  system_audio: 'sound',
  transcript: 'words',
  signals: 'words',
}

/** The index of the last of these that begins at or before an instant; -1 where none does. */
export const lastBefore = (starts: (index: number) => number, length: number, atMs: number): number => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts(middle) <= atMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

export const stretchAt = ({ stretches }: Pick<Track, 'stretches'>, atMs: number): Stretch | undefined => {
  const found = stretches[lastBefore((index) => stretches[index]!.fromMs, stretches.length, atMs)]
  return found && atMs < found.toMs ? found : undefined
}

/** Until when a still stands: its account must say that the time was observed and that something is held that shows it. */
const stillUntil = (stretches: readonly Stretch[], atMs: number, nextMs: number): number => {
  if (stretches.length === 0) return nextMs
  let index = lastBefore((at) => stretches[at]!.fromMs, stretches.length, atMs)
  let until = atMs
  for (; index >= 0 && index < stretches.length; index += 1) {
    const { toMs, state, held } = stretches[index]!
    if (state !== 'observed' || !held) break
    until = toMs
  }
  // Whoever steps to it sees it, whatever the account says of what follows.
  return Math.max(atMs + 1, Math.min(until, nextMs))
}

const itemsOf = (items: IndexSource['items'], stretches: readonly Stretch[]): Item[] =>
  (items?.id ?? []).map((id, index) => {
    const atMs = items?.atMs[index] ?? 0
    const duration = items?.durationMs[index] ?? null
    const nextMs = items?.atMs[index + 1] ?? Math.max(atMs, stretches.at(-1)?.toMs ?? atMs)
    const untilMs = duration === null ? stillUntil(stretches, atMs, Math.max(nextMs, atMs + 1)) : atMs + duration
    return {
      id,
      atMs,
      untilMs,
      sizeBytes: items?.sizeBytes[index] ?? 0,
      contentType: items?.contentType[index] ?? '',
    }
  })

const trackOf = ({ source, lane, account, items }: IndexSource): Track => {
  const stretches = account.map(([fromMs, toMs, state, reason, held]) => ({ fromMs, toMs, state, reason, held }))
  return { source, lane, kind: kinds[lane] ?? 'pictures', stretches, items: itemsOf(items, stretches) }
}

/** The sources of an interview on one time. */
export const timelineOf = (sources: readonly IndexSource[]): Timeline => {
  const tracks = sources.map(trackOf)
  let [fromMs, toMs] = [0, 0]
  for (const { stretches, items } of tracks) {
    for (const stretch of stretches) {
      fromMs = Math.min(fromMs, stretch.fromMs)
      toMs = Math.max(toMs, stretch.toMs)
    }
    for (const item of items) {
      fromMs = Math.min(fromMs, item.atMs)
      toMs = Math.max(toMs, item.untilMs)
    }
  }
  return { fromMs, toMs, tracks }
}

/** Items that may run beside each other at one instant, such as a recording that a still came into. */
const mostBeside = 8

/** What a source shows or says at an instant: the item that began last. */
export const itemAt = ({ items }: Pick<Track, 'items'>, atMs: number): Item | undefined => {
  const last = lastBefore((index) => items[index]!.atMs, items.length, atMs)
  for (let index = last; index >= 0 && index > last - mostBeside; index -= 1) {
    const item = items[index]!
    if (atMs < item.untilMs) return item
  }
  return undefined
}

/** The items that begin within a stretch of time, and the one that its begin lies in. */
export const itemsBetween = (track: Pick<Track, 'items'>, fromMs: number, toMs: number): Item[] => {
  const { items } = track
  const first = itemAt(track, fromMs)
  const found = first && first.atMs < fromMs ? [first] : []
  for (
    let index = lastBefore((at) => items[at]!.atMs, items.length, fromMs - 1) + 1;
    index < items.length && items[index]!.atMs < toMs;
    index += 1
  )
    found.push(items[index]!)
  return found
}

/** Where a player opens: at the first picture, so that something is seen; at the begin where there is none. */
export const openingMs = ({ fromMs, tracks }: Timeline): number => {
  const firsts = tracks.flatMap(({ kind, items }) => (kind === 'pictures' && items[0] ? [items[0].atMs] : []))
  return firsts.length === 0 ? fromMs : Math.min(...firsts)
}
