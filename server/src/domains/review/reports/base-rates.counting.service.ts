import { nextTrailAcrossOrgs } from '../../../kernel/audit/audit.records.store.ts'
import { inTx, type Needs } from '../../../kernel/call.ts'
import { environments, type Scope } from '../../../kernel/identity/scope.ts'
import { noteMoments } from '../../interviews/reviews/moment-counts.service.ts'
import { endedBetween } from '../../interviews/sessions/ended.service.ts'
import { lateDeliveryMs } from '../../interviews/sessions/sessions.policy.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { playedByPeople } from '../../recording/audit/audit.openings.service.ts'
import { countInterview, everyInterview, findMark, moveMark } from './base-rates.store.ts'
import { readMoments } from './coverage.service.ts'

const pageRows = 100

type EndedSession = Awaited<ReturnType<typeof endedBetween>>[number]

type Counts = Needs<'clock' | 'db' | 'reader' | 'requestId'>

const countOne = async (call: Counts, scope: Scope, { endedAt, sessionId, policyId }: EndedSession): Promise<void> => {
  // Looked at before the transaction: what an interview's agent can no longer change needs no lock.
  const { moments, session } = await readMoments({ ...call, scope }, sessionId)
  const rules = [everyInterview, ...new Set(moments.map(({ rule }) => rule))].sort()
  await call.db.transact(async (tx) => {
    const { erasedAt } = await lockSession({ ...inTx(call, tx), scope }, sessionId)
    // What rules find is compared among interviews of one policy.
    if (erasedAt === null && policyId !== null) await countInterview(tx, scope, { sessionId, policyId, rules })
    const found = erasedAt === null ? moments : []
    // A moment of what was so before the beginning is played there.
    const places = found.map(({ at }) => Math.max(0, at - (session.startedAt ?? 0)))
    const played = await playedByPeople({ reader: tx }, { orgId: scope.orgId, sessionId })
    await noteMoments({ tx, scope }, { sessionId, places, played })
    await moveMark(tx, scope, { endedAt, sessionId })
  })
}

/** Counts what rules find in interviews of which nothing can come any more, each once. */
export const countBaseRates = async (call: Counts, signal: AbortSignal): Promise<void> => {
  const until = call.clock.now() - lateDeliveryMs
  for (let orgId = await nextTrailAcrossOrgs(call.reader, ''); orgId !== undefined; ) {
    for (const environment of environments) {
      const scope = { orgId, environment }
      for (let rows: readonly EndedSession[] | undefined; rows === undefined || rows.length === pageRows; ) {
        const after = await findMark(call.reader, scope)
        rows = await endedBetween({ ...call, scope }, { after, until, limit: pageRows })
        for (const row of rows) {
          signal.throwIfAborted()
          await countOne(call, scope, row)
        }
      }
    }
    orgId = await nextTrailAcrossOrgs(call.reader, orgId)
  }
}
