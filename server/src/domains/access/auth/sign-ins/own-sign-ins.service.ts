import { notFound } from '@integrity/protocol'
import type { By, Needs } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { type List, type PageQuery, readPage } from '../../../../kernel/paging.ts'
import { endSignIn, endSignInsOf } from './sign-ins.service.ts'
import { countSignIns, lockPortalSession, type OpenSignIn, pageOfSignIns } from './sign-ins.store.ts'

type Own = By<ActorOf<'account'>>

/** Where an account is signed in, newest first. */
export const listOwnSignIns = async (call: Own & Needs<'clock' | 'reader'>, query: PageQuery) => {
  const { reader, actor } = call
  const now = call.clock.now()
  const list: List<OpenSignIn> = {
    of: ['own-sign-ins', actor.id],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfSignIns(reader, actor.id, now, stretch),
  }
  return { page: await readPage(list, query), total: await countSignIns(reader, actor.id, now) }
}

type Ends = Own & Parameters<typeof endSignIn>[0]

/** Ends one of the account's sign-ins; somebody else's is none. */
export const endOwnSignIn = async (call: Ends, id: string): Promise<void> => {
  if ((await lockPortalSession(call.tx, id))?.userId !== call.actor.id) throw notFound('sign-in')
  await endSignIn(call, { id, reason: 'ended_by_owner' })
}

/** Ends all of the account's sign-ins but the one that asks; answers how many. */
export const endOtherSignIns = (call: Ends): Promise<number> =>
  endSignInsOf(call, { userId: call.actor.id, reason: 'ended_by_owner', but: call.actor.portalSessionId })
