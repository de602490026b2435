import {
  type AccountReporter,
  type AccountState,
  accountEdgeMs,
  accountJoinMs,
  clip,
  type GapReason,
  type Span,
  unionOf,
} from '@integrity/protocol'
import type { AccountStretch } from './account.types.ts'

export type Stated = Omit<AccountStretch, 'held'>

/** Spans of which one thing is said. It is so only where no layer before it says another. */
export interface Layer {
  readonly spans: readonly Span[]
  readonly state: AccountState
  readonly reason: GapReason | null
  readonly reportedBy: AccountReporter
}

const length = ({ fromAt, toAt }: Span): number => toAt - fromAt
const isOneKind = (a: Layer | Stated, b: Layer | Stated): boolean => a.state === b.state && a.reason === b.reason

/** The same stretches, and what a layer says of the times between them. */
const laidUnder = (stretches: readonly Stated[], { spans, state, reason, reportedBy }: Layer): Stated[] => {
  const all: Stated[] = []
  let next = 0
  for (const span of unionOf(spans)) {
    let { fromAt } = span
    for (; next < stretches.length && stretches[next]!.fromAt < span.toAt; next += 1) {
      const above = stretches[next]!
      if (above.fromAt > fromAt) all.push({ fromAt, toAt: above.fromAt, state, reason, reportedBy })
      fromAt = Math.max(fromAt, above.toAt)
      // One that reaches beyond this span may cover a part of the next one.
      if (above.toAt > span.toAt) break
      all.push(above)
    }
    if (fromAt < span.toAt) all.push({ fromAt, toAt: span.toAt, state, reason, reportedBy })
  }
  for (; next < stretches.length; next += 1) all.push(stretches[next]!)
  return all
}

/** Each instant as the first layer that covers it says; in order of time, without overlap. */
export const laid = (layers: readonly Layer[]): Stated[] => {
  let stretches: Stated[] = []
  for (const layer of layers) if (layer.spans.length > 0) stretches = laidUnder(stretches, layer)
  return stretches
}

/** One stretch for two that touch and are of one kind; the longer says who told of it, if the other is a sliver. */
const mergedWith = (before: Stated, next: Stated): Stated | undefined => {
  if (before.toAt !== next.fromAt || !isOneKind(before, next)) return undefined
  const isSliver = Math.min(length(before), length(next)) < accountJoinMs
  if (before.reportedBy !== next.reportedBy && !isSliver) return undefined
  const { reportedBy } = length(next) > length(before) ? next : before
  return { ...before, toAt: next.toAt, reportedBy }
}

/** One more stretch at the end, joined with the last one where they are of one kind. */
const append = (all: Stated[], next: Stated): void => {
  const before = all.at(-1)
  const one = before && mergedWith(before, next)
  if (one) all[all.length - 1] = one
  else all.push(next)
}

export const merged = (stretches: readonly Stated[]): Stated[] => {
  const all: Stated[] = []
  for (const next of stretches) append(all, next)
  return all
}

/**
 * Nobody accounts for this. Short silences at the edges have names of their own; one that is between neighbours of one kind
 * is too short to be told apart from them.
 */
const holeBetween = (
  hole: Span,
  { before, next }: { readonly before: Stated | undefined; readonly next: Stated | undefined },
): Stated => {
  const unnamed = { ...hole, state: 'gap', reportedBy: 'service' } as const
  if (before && next && length(hole) < accountJoinMs && isOneKind(before, next)) return { ...before, ...hole }
  const isShort = length(hole) < accountEdgeMs
  if (isShort && !before && next) return { ...unnamed, reason: 'starting' }
  if (isShort && before && !next) return { ...unnamed, reason: 'stopping' }
  return { ...unnamed, reason: 'not_reported' }
}

/** The stretches of a whole span, holes named. */
export const filled = (stretches: readonly Stated[], whole: Span): Stated[] => {
  const all: Stated[] = []
  let before: Stated | undefined
  let at = whole.fromAt
  for (const next of stretches) {
    if (next.fromAt > at) append(all, holeBetween({ fromAt: at, toAt: next.fromAt }, { before, next }))
    append(all, next)
    before = next
    at = next.toAt
  }
  if (whole.toAt > at) append(all, holeBetween({ fromAt: at, toAt: whole.toAt }, { before, next: undefined }))
  return all
}

/** The parts of a list that are in a span. */
export const partsIn = (stretches: readonly Stated[], span: Span): Stated[] => clip(stretches, span)
