import { lockHead } from './audit/audit.store.ts'
import { inTx, type Needs, type Reads, type Writes } from './call.ts'
import type { Scope } from './identity/scope.ts'
import { deleteStretch, findOldest, listOrgsAfter, lockOldest, type OldEvent } from './outbox/outbox.expire.store.ts'

/** So many in a transaction, which holds the organisation's head: nobody who publishes waits long for it. */
const pageRows = 200
const orgsAtOnce = 100

/** From the oldest on, as long as each is old and follows the one before it: what stays is dense. */
const stretchOf = (events: readonly OldEvent[], first: number, before: number): OldEvent[] => {
  const end = events.findIndex(({ seq, createdAt }, n) => seq !== first + n || createdAt >= before)
  return end === -1 ? [...events] : events.slice(0, end)
}

const expirePage = async (call: Writes, before: number, neededFrom: NeededFrom): Promise<number> => {
  const { tx, scope } = call
  const oldest = await findOldest(tx, scope)
  if (!oldest || oldest.createdAt >= before) return 0
  // Whoever sends an event again has the head locked before a new delivery asks for it.
  await lockHead(tx, scope.orgId)
  const below = (await neededFrom(call)) ?? Number.MAX_SAFE_INTEGER
  const stretch = stretchOf(await lockOldest(tx, scope, below, pageRows), oldest.seq, before)
  await deleteStretch(tx, scope, stretch)
  return stretch.length
}

/** The first sequence of an organisation and environment that somebody still has to send or may send again; null for none. */
export type NeededFrom = (call: Reads) => Promise<number | null>

/**
 * Takes published events from before a time out of every log, oldest first and page by page, up to the first one that is
 * still needed. Sequences go on as they were; a stream that asks for what is gone is told of a gap.
 */
export const expireEvents = async (
  call: Needs<'db' | 'reader'>,
  before: number,
  { neededFrom, signal }: { neededFrom: NeededFrom; signal: AbortSignal },
): Promise<void> => {
  for (let after = ''; ; ) {
    const orgs = await listOrgsAfter(call.reader, after, orgsAtOnce)
    for (const orgId of orgs) {
      after = orgId
      for (const environment of ['live', 'sandbox'] as const) {
        const scope: Scope = { orgId, environment }
        const oldest = await findOldest(call.reader, scope)
        if (!oldest || oldest.createdAt >= before) continue
        do signal.throwIfAborted()
        while (
          (await call.db.transact((tx) => expirePage({ ...inTx(call, tx), scope }, before, neededFrom))) === pageRows
        )
      }
    }
    if (orgs.length < orgsAtOnce) return
  }
}
