import type { Needs } from './call.ts'
import type { Actor } from './identity/actor.ts'

/** Bytes that are looked through are counted in such pieces, begun ones whole. */
const pieceBytes = 256 * 1024

/** Whose looking through is counted: a credential's or a person's, and its organisation's. */
export const answeredKeys = (actor: Actor): { readonly own: string; readonly org: string | undefined } => ({
  own: `answered ${actor.id}`,
  org: 'orgId' in actor ? `answered of ${actor.orgId}` : undefined,
})

/** Counts bytes that are about to be answered; the request itself has counted as the first piece of them. */
export const countAnswered = async ({ rate }: Needs<'rate'>, actor: Actor, bytes: number): Promise<void> => {
  const more = Math.ceil(bytes / pieceBytes) - 1
  if (more <= 0) return
  const { own, org } = answeredKeys(actor)
  await rate.add(own, more)
  if (org !== undefined) await rate.add(org, more)
}
