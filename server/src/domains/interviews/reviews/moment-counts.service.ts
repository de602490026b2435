import type { Writes } from '../../../kernel/call.ts'
import { findUnopened, saveMoments, saveUnopened } from './reviews.store.ts'

/** Of a session, in milliseconds since it started; without the one at `toMs`. */
export interface PlayedStretch {
  readonly fromMs: number
  readonly toMs: number
}

type Within = Pick<Writes, 'tx' | 'scope'>

const isIn = (atMs: number, { fromMs, toMs }: PlayedStretch): boolean => atMs >= fromMs && atMs < toMs

/** The queue shows how many moments there are, and how many were opened, without looking for them. Call with the session locked. */
export const noteMoments = (
  { tx, scope }: Within,
  found: { readonly sessionId: string; readonly places: readonly number[]; readonly played: readonly PlayedStretch[] },
): Promise<void> => {
  const { sessionId, places, played } = found
  const unopened = places.filter((atMs) => !played.some((stretch) => isIn(atMs, stretch)))
  return saveMoments(tx, scope, sessionId, { moments: places.length, unopened })
}

/** Somebody plays a stretch: moments in it are opened from now on. Call with the head of the organisation locked. */
export const noteOpened = async (
  { tx, scope }: Within,
  { sessionId, ...stretch }: PlayedStretch & { readonly sessionId: string },
): Promise<void> => {
  const seen = await findUnopened(tx, scope, sessionId)
  if (!seen?.some((atMs) => isIn(atMs, stretch))) return
  const unopened = (await findUnopened(tx, scope, sessionId, tx.forUpdate)) ?? []
  await saveUnopened(
    tx,
    scope,
    sessionId,
    unopened.filter((atMs) => !isIn(atMs, stretch)),
  )
}
