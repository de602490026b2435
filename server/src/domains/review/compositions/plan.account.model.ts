import { type GapReason, gapReasons, joinNeighbours } from '@integrity/protocol'
import type { FilmText } from '../../../platform/film/film.types.ts'
import type { AccountStretch, SourceAccount } from '../reports/account.types.ts'
import type { Stretch, TrackTimes } from './plan.tracks.model.ts'

const notPart = 'Not part of this interview'
/** The source was observed, but there is no picture of it. */
const noPicture = 'No picture yet'

/** The registry's sentence as a clause. */
export const gapText = (reason: GapReason): string => {
  if (reason === 'declined') return 'Not captured: declined by the candidate'
  const sentence = gapReasons[reason].replace(/\.$/, '')
  return `Not captured: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

/** Why there is no picture of a source in a stretch of its account. */
export const stretchText = ({ state, reason }: Pick<AccountStretch, 'state' | 'reason'>): string => {
  switch (state) {
    case 'observed':
      return noPicture
    case 'not_wanted':
      return notPart
    case 'agreed_break':
      return 'Not captured: a break that was agreed'
    case 'paused':
      return gapText(reason ?? 'paused')
    case 'declined':
      return gapText('declined')
    case 'gap':
      return gapText(reason ?? 'not_reported')
  }
}

/** Nobody told of this: it is only that nothing was reported. */
const inferred: ReadonlySet<GapReason | null> = new Set(['not_reported', 'starting', 'stopping', null] as const)
const isInferred = ({ state, reason }: AccountStretch): boolean => state === 'gap' && inferred.has(reason)

/** What an account says of a film that begins at `startsAt`. */
export interface FilmAccount {
  readonly times: TrackTimes
  /** What the place's card says, by and by. */
  readonly texts: readonly FilmText[]
  readonly emptyText: string
  readonly isPart: boolean
}

const runs = (stretches: readonly AccountStretch[], startsAt: number, untilMs: number): Stretch[] =>
  joinNeighbours(stretches, 0).flatMap(({ fromAt, toAt }) => {
    const run = { atMs: fromAt - startsAt, untilMs: Math.min(untilMs, toAt - startsAt) }
    return run.untilMs > run.atMs ? [run] : []
  })

/** Consecutive stretches that say the same are one. */
const textsOf = (stretches: readonly AccountStretch[], startsAt: number): FilmText[] => {
  const texts: { fromMs: number; toMs: number; text: string }[] = []
  for (const stretch of stretches) {
    const [fromMs, toMs, text] = [stretch.fromAt - startsAt, stretch.toAt - startsAt, stretchText(stretch)]
    const before = texts.at(-1)
    if (before?.text === text && before.toMs === fromMs) before.toMs = toMs
    else texts.push({ fromMs, toMs, text })
  }
  return texts
}

/** What is shown of a source and what is said where there is nothing. Without an account it is no part of the interview. */
export const filmAccount = (
  account: SourceAccount | undefined,
  { startsAt, durationMs }: { readonly startsAt: number; readonly durationMs: number },
): FilmAccount => {
  const stretches = account?.stretches ?? []
  const observed = stretches.filter(({ state }) => state === 'observed')
  const allowed = stretches.filter((stretch) => stretch.state === 'observed' || isInferred(stretch))
  return {
    times: {
      startsAt,
      observed: runs(observed, startsAt, durationMs),
      allowed: runs(allowed, startsAt, durationMs),
    },
    texts: textsOf(stretches, startsAt),
    emptyText: notPart,
    isPart: stretches.some(({ state }) => state !== 'not_wanted'),
  }
}
