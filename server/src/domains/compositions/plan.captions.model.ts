import { integrityEventKinds, isAboutRecording, isIntegrityEventKind } from '@integrity/protocol'
import type { FilmText } from '../../platform/film/film.types.ts'

export interface ObservedEvent {
  readonly kind: string
  /** Milliseconds after the film's beginning. */
  readonly atMs: number
}

const captionMs = 4000
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
const linesOf = (events: readonly ObservedEvent[], durationMs: number): Line[] => {
  const lines: Line[] = []
  const last = new Map<string, Line>()
  for (const { kind, atMs } of [...events].sort((a, b) => a.atMs - b.atMs)) {
    const fromMs = Math.max(0, atMs)
    const toMs = Math.min(durationMs, atMs + captionMs)
    // What matters of the recording itself is said by the cards of the gaps.
    if (isAboutRecording(kind) || fromMs >= toMs) continue
    const text = captionOf(kind)
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

/**
 * What the caption says at each moment: every event for four seconds, the same again as one, of several at once the two
 * newest. The texts do not overlap.
 */
export const captionsOf = (events: readonly ObservedEvent[], durationMs: number): FilmText[] => {
  const lines = linesOf(events, durationMs)
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
