import type { Needs } from '../call.ts'
import type { Scope } from '../identity/scope.ts'
import type { JobDefinition } from './define-job.ts'
import { type Claim, claimDueJobsAcrossOrgs, insertJob, nextRunAtAcrossOrgs } from './jobs.store.ts'

interface ClaimOptions {
  readonly definitions: readonly JobDefinition[]
  /** Names this process in its claims. Unique among processes. */
  readonly processId: string
  readonly concurrency: number
  readonly leaseMs: number
}

/** Recurring jobs belong to no organisation. */
const noOrg: Scope = { orgId: '', environment: 'live' }

/** One id for each kind: whichever process comes first makes the row, all share it. */
export const recurringIdOf = (kind: string): string => `every:${kind}`

/** Makes the rows of recurring jobs, once. */
export const createRegistration = ({ db, clock }: Needs<'db' | 'clock'>, definitions: readonly JobDefinition[]) => {
  const recurring = definitions.filter(({ everyMs }) => everyMs !== undefined)
  let registered = recurring.length === 0
  return async (): Promise<void> => {
    if (registered) return
    const now = clock.now()
    await db.transact(async (tx) => {
      for (const { kind, attempts } of recurring) {
        const job = { id: recurringIdOf(kind), kind, payload: 'null', run_at: now, max_attempts: attempts }
        await insertJob(tx, noOrg, { ...job, created_at: now, dedupe_key: null, request_id: null, traceparent: null })
      }
    })
    registered = true
  }
}

/** Takes due jobs out of the queue for this process. */
export const createClaims = ({ db, clock }: Needs<'db' | 'clock'>, options: ClaimOptions) => {
  const { definitions, processId, concurrency, leaseMs } = options
  const limited = definitions.flatMap(({ kind, limit }) => (limit === undefined ? [] : [{ kind, limit }]))
  const unlimited = definitions.filter(({ limit }) => limit === undefined).map(({ kind }) => kind)
  const kinds = definitions.map(({ kind }) => kind)
  let claims = 0
  return {
    /** Claims no more than the process has places for, beside the jobs of the kinds that run. */
    claim: (running: readonly string[]): Promise<Claim[]> => {
      const free = concurrency - running.length
      const now = clock.now()
      const due = { now, leaseUntil: now + leaseMs, nextOwner: () => `${processId}:${++claims}` }
      return db.transact(async (tx) => {
        const claimed: Claim[] = []
        for (const { kind, limit: most } of limited) {
          const room = most - running.filter((other) => other === kind).length
          const limit = Math.min(room, free - claimed.length)
          if (limit > 0) claimed.push(...(await claimDueJobsAcrossOrgs(tx, { ...due, kinds: [kind], limit })))
        }
        const limit = free - claimed.length
        if (limit > 0) claimed.push(...(await claimDueJobsAcrossOrgs(tx, { ...due, kinds: unlimited, limit })))
        return claimed
      })
    },
    /** When the next job is due; null for none. */
    nextRunAt: (now: number): Promise<number | null> => nextRunAtAcrossOrgs(db.reader, kinds, now),
  }
}
