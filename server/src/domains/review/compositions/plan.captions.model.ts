import { integrityEventKinds, isAboutRecording, isIntegrityEventKind } from '@integrity/protocol'
import type { FilmText } from '../../../platform/film/film.types.ts'
import type { SourceAccount } from '../reports/account.types.ts'
import { stretchText } from './plan.account.model.ts'
import { startOf } from './plan.at-start.model.ts'
import type { PlanEvent } from './plan.displays.model.ts'

interface Film {
  /** Epoch milliseconds. */
  readonly startsAt: number
  readonly durationMs: number
}

const captionMs = 4000
/** What was so at the start is more to read, and what is said of the whole film is said for longer, too. */
const longCaptionMs = 8000
const mostAtOnce = 2

/** The registry's sentence, without what it says about what is noted. A kind that is not in it stands for itself. */
export const captionOf = (kind: string): string =>
  isIntegrityEventKind(kind) ? (integrityEventKinds[kind].sentence.split(';')[0] ?? kind).replace(/\.$/, '') : kind

interface Line {
  fromMs: number
  toMs: number
  text: string
}

/** One line for each text that is there without a break. */
const linesOf = (events: readonly PlanEvent[], { startsAt, durationMs }: Film): Line[] => {
  const lines: Line[] = []
  const last = new Map<string, Line>()
  for (const event of events.toSorted((a, b) => a.observedAt - b.observedAt)) {
    const atMs = event.observedAt - startsAt
    const fromMs = Math.max(0, atMs)
    const toMs = Math.min(durationMs, atMs + captionMs)
    // What matters of the recording itself is said by the cards of the gaps.
    if (isAboutRecording(event.kind) || fromMs >= toMs) continue
    const text = captionOf(event.kind)
    const before = last.get(text)
    if (before && before.toMs >= fromMs) {
      before.toMs = Math.max(before.toMs, toMs)
      continue
    }
    const line = { fromMs, toMs, text }
    last.set(text, line)
    lines.push(line)
  }
  return lines
}

/** At each moment the two newest of the lines that are on. */
const newestOf = (lines: readonly Line[]): Line[] => {
  const moments = [...new Set(lines.flatMap(({ fromMs, toMs }) => [fromMs, toMs]))].sort((a, b) => a - b)
  const texts: Line[] = []
  let active: Line[] = []
  let next = 0
  for (const [i, fromMs] of moments.entries()) {
    active = active.filter(({ toMs }) => toMs > fromMs)
    while (next < lines.length && lines[next]!.fromMs <= fromMs) active.push(lines[next++]!)
    const toMs = moments[i + 1]
    if (active.length === 0 || toMs === undefined) continue
    const text = active
      .slice(-mostAtOnce)
      .map((line) => line.text)
      .join(' · ')
    const before = texts.at(-1)
    if (before?.text === text && before.toMs === fromMs) before.toMs = toMs
    else texts.push({ fromMs, toMs, text })
  }
  return texts
}

/**
 * What the caption says at each moment: every event for four seconds, the same again as one, of several at once the two
 * newest. The texts do not overlap. What was so before the session is one line, at the start.
 */
export const captionsOf = (
  { events, atStart }: { readonly events: readonly PlanEvent[]; readonly atStart: readonly PlanEvent[] },
  film: Film,
): FilmText[] => {
  const start = startOf(atStart)
  const toMs = Math.min(film.durationMs, longCaptionMs)
  const first = start === '' ? [] : [{ fromMs: 0, toMs, text: `At the start: ${start}` }]
  return newestOf([...first, ...linesOf(events, film)])
}

/** Why nothing is heard, for as long: sound has no card that could say it. */
export const soundGapCaptions = (account: SourceAccount | undefined, { startsAt, durationMs }: Film): FilmText[] =>
  (account?.stretches ?? [])
    .filter(({ state, fromAt, toAt }) => (state === 'gap' || state === 'paused') && toAt - fromAt >= 1000)
    .map((stretch) => ({
      fromMs: Math.max(0, stretch.fromAt - startsAt),
      toMs: Math.min(durationMs, stretch.toAt - startsAt),
      text: stretchText(stretch).replace(/^Not captured/, 'Sound not captured'),
    }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)

const hours = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A film that is shorter than its session says so when it begins and when it ends. */
export const cutCaptions = (wholeMs: number, durationMs: number): FilmText[] => {
  if (wholeMs <= durationMs) return []
  const text = `This film shows the first ${hours(durationMs)} of ${hours(wholeMs)}`
  return [
    { fromMs: 0, toMs: longCaptionMs, text },
    { fromMs: durationMs - longCaptionMs, toMs: durationMs, text: `${text}: it ends here, the session went on` },
  ]
}
