import { inTx, type Needs } from '../../../kernel/call.ts'
import { system } from '../../../kernel/identity/actor.ts'
import { refuseHeld } from '../../interviews/sessions/joining/window.service.ts'
import { enqueueRemoval } from '../../recording/evidence/evidence.erase.service.ts'
import { findCompositionForUpdate, listExpiredFilmsAcrossOrgs, removeFilm } from './compositions.store.ts'

const pageRows = 100

const expireOne = (call: Needs<'audit' | 'db' | 'jobs' | 'scope'>, id: string, now: number): Promise<void> =>
  call.db.transact(async (tx) => {
    const row = await findCompositionForUpdate(tx, call.scope, id)
    // Erased or rendered again meanwhile.
    if (!row?.storeKey || row.header === null || (row.expiresAt ?? now) > now) return
    await removeFilm(tx, call.scope, id)
    await enqueueRemoval(inTx(call, tx), { storeKeys: [row.storeKey] })
    const { sessionId } = row
    await call.audit.append(
      { tx, scope: call.scope, actor: system },
      { action: 'composition.removed', target: id, sessionId },
    )
    // The audit row has locked the chain, which every hold is written to: one that came meanwhile is seen now.
    await refuseHeld(inTx(call, tx), sessionId)
  })

/** Takes films away whose lifetime is over: the header now, the bytes by a job. Each in a transaction of its own. */
export const expireFilms = async (call: Needs<'audit' | 'clock' | 'db' | 'jobs' | 'reader'>): Promise<void> => {
  const now = call.clock.now()
  for (;;) {
    const page = await listExpiredFilmsAcrossOrgs(call.reader, now, pageRows)
    for (const { orgId, environment, id } of page) await expireOne({ ...call, scope: { orgId, environment } }, id, now)
    if (page.length < pageRows) return
  }
}
