import { system } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import { enqueueRemoval } from '../evidence/evidence.erase.service.ts'
import { findCompositionForUpdate, listExpiredFilmsAcrossOrgs, removeFilm } from './compositions.store.ts'

const PAGE = 100

const expireOne = (app: AppContext, scope: Scope, id: string, now: number): Promise<void> =>
  app.db.transact(async (tx) => {
    const row = await findCompositionForUpdate(tx, scope, id)
    // Erased or rendered anew meanwhile.
    if (!row?.storeKey || row.header === null || (row.expiresAt ?? now) > now) return
    await removeFilm(tx, scope, id)
    await enqueueRemoval(app, tx, scope, { storeKeys: [row.storeKey] })
    const entry = { actor: system, action: 'composition.removed', target: id, sessionId: row.sessionId } as const
    await app.audit.append(tx, scope.orgId, entry)
  })

/** Takes films away whose lifetime is over: the header now, the bytes by a job. Each in a transaction of its own. */
export const expireFilms = async (app: AppContext): Promise<void> => {
  const now = app.clock.now()
  for (;;) {
    const page = await listExpiredFilmsAcrossOrgs(app.db.reader, now, PAGE)
    for (const { orgId, environment, id } of page) await expireOne(app, { orgId, environment }, id, now)
    if (page.length < PAGE) return
  }
}
