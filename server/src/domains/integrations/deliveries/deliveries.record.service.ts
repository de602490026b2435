import { lockHead } from '../../../kernel/audit/audit.store.ts'
import { inTx, type Needs, type Writes } from '../../../kernel/call.ts'
import { gather } from '../../../platform/gather.ts'
import { noteArrivals, noteDeadLetter } from '../webhooks/webhooks.disable.service.ts'
import { endpointIfThere } from '../webhooks/webhooks.service.ts'
import { namesOf } from './deliveries.claim.service.ts'
import {
  finishClaimed,
  finishDelivered,
  insertAttempts,
  type NewAttempt,
  retryClaimed,
} from './deliveries.queue.store.ts'
import type { Made, MadeAttempt, NotMade } from './deliveries.service.ts'

const attemptOf = ({ claim, at, result }: MadeAttempt): NewAttempt => ({
  deliveryId: claim.delivery.id,
  attempt: claim.delivery.attemptCount + 1,
  at,
  durationMs: result.durationMs,
  outcome: result.outcome,
  statusCode: result.statusCode ?? null,
  excerpt: result.excerpt ?? null,
  error: result.error ?? null,
  errorCode: result.errorCode ?? null,
})

const isDelivered = (made: Made): made is MadeAttempt => made.kind === 'made' && made.step.kind === 'delivered'

/** Endpoints before deliveries, as everywhere: see `recordOne`. */
const recordDelivered = async (call: Writes, made: readonly MadeAttempt[], now: number): Promise<Set<Made>> => {
  const { tx, scope } = call
  const [first] = made
  if (!first) return new Set()
  const endpointIds = [...new Set(made.map((one) => one.claim.delivery.endpointId))].sort()
  await noteArrivals(call, endpointIds)
  const ids = made.map((one) => one.claim.delivery.id)
  const held = await finishDelivered(tx, scope, ids, { owner: first.claim.owner, now })
  const kept = made.filter((one) => held.has(one.claim.delivery.id))
  await insertAttempts(tx, scope, kept.map(attemptOf))
  return new Set(kept)
}

/** Writes what arrived in one transaction; gives back those whose claim was still held. */
const recordAllDelivered = (call: Needs<'clock' | 'db'>, made: readonly MadeAttempt[]): Promise<Set<Made>> =>
  call.db.transact(async (tx) => {
    const held = new Set<Made>()
    const groups = Map.groupBy(made, ({ claim }) => `${claim.scope.orgId} ${claim.scope.environment} ${claim.owner}`)
    // One order for all, so that no two processes wait for each other in a circle.
    for (const [, group] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const scope = group[0]?.claim.scope
      if (scope)
        for (const one of await recordDelivered({ tx, reader: tx, scope }, group, call.clock.now())) held.add(one)
    }
    return held
  })

/**
 * Writes one result; false when the claim was lost and nothing was written. Rows are locked in one order everywhere:
 * the organisation's head, the endpoint, its deliveries. Publishing an event and changing an endpoint do the same, so
 * none of them waits for another in a circle.
 */
const recordOne = (call: Needs<'audit' | 'clock' | 'db' | 'deliveryQueue' | 'jobs'>, made: Made): Promise<boolean> =>
  call.db.transact(async (tx) => {
    if (made.kind !== 'made') return recordNotMade(inTx(call, tx), made)
    if (made.step.kind === 'delivered')
      return (await recordDelivered({ tx, reader: tx, scope: made.claim.scope }, [made], call.clock.now())).size === 1
    return recordFailed(inTx(call, tx), made)
  })

const recordNotMade = async (
  call: Needs<'clock' | 'reader' | 'tx'>,
  { kind, claim: made }: NotMade,
): Promise<boolean> => {
  const { tx } = call
  const { scope, owner, delivery } = made
  const claim = { delivery, owner }
  const now = call.clock.now()
  const attempts = delivery.attemptCount
  if (kind === 'cancel') return finishClaimed(tx, scope, claim, { status: 'cancelled', attempts, now })
  // It may have been enabled again since it was read, and nobody would release what is held after that.
  await lockHead(tx, scope.orgId)
  const hold = (await endpointIfThere({ ...call, scope }, delivery.endpointId))?.status !== 'enabled'
  return retryClaimed(tx, scope, claim, { attempts, at: now, hold })
}

const recordFailed = async (
  call: Needs<'audit' | 'clock' | 'deliveryQueue' | 'jobs' | 'reader' | 'tx'>,
  made: MadeAttempt,
): Promise<boolean> => {
  const { tx } = call
  const { step } = made
  const { scope, owner, delivery } = made.claim
  const claim = { delivery, owner }
  const now = call.clock.now()
  const attempts = delivery.attemptCount + 1
  await lockHead(tx, scope.orgId)
  if (step.kind === 'retry') {
    const current = await endpointIfThere({ ...call, scope }, delivery.endpointId)
    const wait = { attempts, at: now + step.waitMs, hold: current?.status !== 'enabled' }
    if (!(await retryClaimed(tx, scope, claim, wait))) return false
    await insertAttempts(tx, scope, [attemptOf(made)])
    return true
  }
  if (!(await finishClaimed(tx, scope, claim, { status: 'dead_letter', attempts, now }))) return false
  await insertAttempts(tx, scope, [attemptOf(made)])
  await noteDeadLetter({ ...call, scope }, delivery.endpointId)
  return true
}

/** A line for each attempt is for who looks for something; what was given up is told in any case. */
const tell = ({ log }: Needs<'log'>, made: Made): void => {
  if (made.kind !== 'made') return
  const { outcome, statusCode, errorCode } = made.result
  const fields = {
    ...namesOf(made.claim),
    attempt: made.claim.delivery.attemptCount + 1,
    outcome,
    statusCode,
    errorCode,
  }
  if (made.step.kind === 'retry') log.debug(fields, 'a delivery will be tried again')
  else if (made.step.kind === 'delivered') log.debug(fields, 'a delivery has arrived')
  else log.warn(fields, 'a delivery was given up')
}

export interface Recorder {
  /** Resolves when the result is committed; rejects when it could not be. */
  record(made: Made): Promise<void>
}

/**
 * Collects results for as long as more come with each turn of the event loop, and writes those that arrived together:
 * one transaction for many of the common kind. The others, which lock more, have one each.
 */
export const createRecorder = (call: Needs<'audit' | 'clock' | 'db' | 'deliveryQueue' | 'jobs' | 'log'>): Recorder => {
  interface Waiting {
    readonly made: Made
    readonly resolve: () => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []

  const settle = ({ made, resolve }: Waiting, held: boolean): void => {
    if (held) tell(call, made)
    else call.log.warn(namesOf(made.claim), 'an attempt ended after its delivery was cancelled or taken over')
    resolve()
  }
  const alone = (one: Waiting): Promise<void> => recordOne(call, one.made).then((held) => settle(one, held), one.reject)

  const together = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const held = await recordAllDelivered(call, group.map((one) => one.made).filter(isDelivered))
      for (const one of group) settle(one, held.has(one.made))
    } catch {
      // One of them may be the cause: the others must not share its fate.
      await Promise.all(group.map(alone))
    }
  }

  const flush = async (): Promise<void> => {
    await gather(() => waiting.length)
    const group = waiting
    waiting = []
    const delivered = group.filter((one) => isDelivered(one.made))
    if (delivered.length > 0) void together(delivered)
    for (const one of group) if (!isDelivered(one.made)) void alone(one)
  }

  return {
    record: (made) =>
      new Promise((resolve, reject) => {
        waiting.push({ made, resolve, reject })
        if (waiting.length === 1) void flush()
      }),
  }
}
