import { inTx, type Needs } from '../../../kernel/call.ts'
import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { enqueueRemoval } from '../../recording/evidence/evidence.erase.service.ts'
import { deleteBundle, listBundles, listExpiredAcrossOrgs } from './bundles.store.ts'

const pageRows = 100

/** What was built of a session: the rows hold the headers, so with them the bytes are shredded; a job takes them away. */
export const bundlesEraser = (): DomainEraser => ({
  order: 80,
  async erase(call, sessionId) {
    const kept = await listBundles(call.tx, call.scope, sessionId)
    for (const { storeKey } of kept) await deleteBundle(call.tx, call.scope, { sessionId, storeKey })
    if (kept.length > 0) await enqueueRemoval(call, { storeKeys: kept.map(({ storeKey }) => storeKey) })
    return undefined
  },
})

/** Takes bundles away whose time is over; whoever asks again has one built again. */
export const expireBundles = async (call: Needs<'clock' | 'db' | 'jobs'>): Promise<void> => {
  const now = call.clock.now()
  for (;;) {
    const page = await listExpiredAcrossOrgs(call.db.reader, now, pageRows)
    for (const { storeKey, sessionId, ...scope } of page)
      await call.db.transact(async (tx) => {
        if (await deleteBundle(tx, scope, { sessionId, storeKey }))
          await enqueueRemoval({ ...inTx(call, tx), scope }, { storeKeys: [storeKey] })
      })
    if (page.length < pageRows) return
  }
}
