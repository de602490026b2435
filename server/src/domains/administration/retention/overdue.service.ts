import { nextTrailAcrossOrgs } from '../../../kernel/audit/audit.records.store.ts'
import type { Needs } from '../../../kernel/call.ts'
import { environments } from '../../../kernel/identity/scope.ts'
import type { Sum } from './due.store.ts'
import { sumDue } from './due.store.ts'
import { claimReminder } from './reminders.store.ts'
import { horizonOf } from './retention.service.ts'

const dayMs = 86_400_000
/** How long before it is due its organisation is told, and how often. */
const aheadDays = 7

export interface DueOfOrg {
  readonly orgId: string
  /** What no hold keeps. */
  readonly free: Sum
  readonly held: Sum
}

/** What is due in so many days, organisation by organisation; those with nothing are left out. */
export const dueAcrossOrgs = async function* (
  call: Needs<'clock' | 'config' | 'reader'>,
  { days, only }: { readonly days: number; readonly only?: string | undefined },
): AsyncGenerator<DueOfOrg> {
  for (let orgId = only ?? (await nextTrailAcrossOrgs(call.reader, '')); orgId !== undefined; ) {
    const { free, held } = await sumDue(call.reader, await horizonOf(call, { orgId, days }))
    if (free.sessions + held.sessions > 0) yield { orgId, free, held }
    orgId = only === undefined ? await nextTrailAcrossOrgs(call.reader, orgId) : undefined
  }
}

/** Objects that should be gone and that no hold keeps, of all organisations. */
export const overdueObjects = async (call: Needs<'clock' | 'config' | 'reader'>): Promise<number> => {
  let objects = 0
  for await (const { free } of dueAcrossOrgs(call, { days: 0 })) objects += free.objects
  return objects
}

/**
 * Has those who see to retention told of what is due within a week or overdue, once a week for each organisation. Nothing is
 * deleted by it: that somebody decides.
 */
export const remindOfDue = async (
  call: Needs<'clock' | 'config' | 'reader' | 'db' | 'jobs'>,
  signal: AbortSignal,
): Promise<void> => {
  for await (const { orgId, free } of dueAcrossOrgs(call, { days: aheadDays })) {
    signal.throwIfAborted()
    if (free.sessions === 0) continue
    const overdue = (await sumDue(call.reader, await horizonOf(call, { orgId, days: 0 }))).free
    await call.db.transact(async (tx) => {
      const now = call.clock.now()
      // An hour less than a week: the job that comes a little early must not wait for another day.
      if (!(await claimReminder(tx, { orgId, now, since: now - aheadDays * dayMs + 3_600_000 }))) return
      const scope = { orgId, environment: environments[0] }
      const payload = { soon: free.sessions, overdue: overdue.sessions, overdueObjects: overdue.objects }
      await call.jobs.enqueue({ tx, scope }, { kind: 'retention.mail', payload })
    })
  }
}
