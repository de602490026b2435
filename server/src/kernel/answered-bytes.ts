import type { Needs } from './call.ts'
import type { Actor } from './identity/actor.ts'

/** Bytes that are looked through are counted in such pieces, begun ones whole. */
const pieceBytes = 256 * 1024

/**
 * Whose looking through is counted: a credential's or a person's, and its organisation's. Candidates may be sent any number of
 * links, so theirs is counted by the interview, and all of them together can keep no member from looking.
 */
export const answeredKeys = (actor: Actor): { readonly own: string; readonly org: string | undefined } => {
  if (actor.kind === 'link') return { own: `answered ${actor.sessionId}`, org: `answered by links of ${actor.orgId}` }
  return { own: `answered ${actor.id}`, org: 'orgId' in actor ? `answered of ${actor.orgId}` : undefined }
}

/** Counts bytes that are about to be answered; the request itself has counted as the first piece of them. */
export const countAnswered = async ({ rate }: Needs<'rate'>, actor: Actor, bytes: number): Promise<void> => {
  const more = Math.ceil(bytes / pieceBytes) - 1
  if (more <= 0) return
  const { own, org } = answeredKeys(actor)
  await rate.add(own, more)
  if (org !== undefined) await rate.add(org, more)
}
