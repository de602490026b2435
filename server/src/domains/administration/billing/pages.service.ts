import type { PageOfOrg } from './pages.store.ts'
import { deletePage, listPages } from './pages.store.ts'
import { paymentsOf } from './payments.service.ts'
import { type Refreshes, type Theirs, takeWithCharges } from './refreshing.service.ts'

/** A hosted page may be paid in its last minute, and its payment be judged later. */
export const afterExpiryMs = 3_600_000

/** Asks how a hosted page stands. One that was paid on gives its plan; what nobody can pay on is forgotten. */
export const lookAtPage = async (call: Refreshes, page: PageOfOrg): Promise<'open' | 'over' | 'bought'> => {
  const { orgId, provider, id } = page
  const found = await paymentsOf(call, provider).page(id)
  if (found.state === 'open') return 'open'
  if (found.state === 'bought') {
    const kept = await takeWithCharges(call, { provider, subscriptionId: found.subscriptionId, known: { orgId } })
    // Not known yet, or not understood: it is looked at again.
    if (!kept) return 'bought'
  }
  await call.db.transact((tx) => deletePage(tx, page))
  return found.state
}

/** Asks the provider how a subscription stands, and which of its organisation's hosted pages have led to one. */
export const refreshSubscription = async (call: Refreshes, theirs: Theirs): Promise<void> => {
  const row = await takeWithCharges(call, theirs)
  if (!row) return
  for (const page of await listPages(call.reader, row.orgId, call.clock.now() - afterExpiryMs))
    await lookAtPage(call, { ...page, orgId: row.orgId })
}
