import { GiveUp } from '../../platform/give-up.ts'
import { RetryLater } from '../../platform/retry-later.ts'
import type { NewRoot } from '../../platform/traces/traces.ts'
import { system } from '../identity/actor.ts'
import type { Scope } from '../identity/scope.ts'
import type { Parts } from '../parts.ts'
import type { JobDefinition } from './define-job.ts'
import { recurringIdOf } from './job-claims.ts'
import { type Claim, extendLease, finishJob, requeueJob } from './jobs.store.ts'

export type JobReport = (kind: string, outcome: 'done' | 'retry' | 'failed', seconds: number) => void

export interface RunnerOptions {
  readonly definitions: readonly JobDefinition[]
  readonly leaseMs: number
  /** Aborted when running handlers must end. */
  readonly aborted: AbortSignal
  readonly onRun?: JobReport
}

const firstRetryMs = 1000
const lastRetryMs = 3_600_000
const maxErrorLength = 500

/** In 1 s, 2 s, 4 s … at most an hour; later where the handler asked for that. */
const retryAt = (now: number, attempts: number, { error }: { readonly error: unknown }): number => {
  const asked = error instanceof RetryLater ? error.waitMs : 0
  return now + Math.max(asked, Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(attempts - 1, 30)))
}

const textOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, maxErrorLength)

/** What each line of the log says of a job. */
const namesOf = ({ job }: Claim) => ({
  jobId: job.id,
  ...(job.request_id === null ? {} : { requestId: job.request_id }),
})

const spanOf = ({ job: { kind, attempts, request_id, traceparent } }: Claim): NewRoot => ({
  kind: 'job',
  name: kind,
  facts: { 'app.attempt': attempts, ...(request_id === null ? {} : { 'app.request_id': request_id }) },
  parent: traceparent,
  decides: true,
  requestId: request_id ?? undefined,
})

const createLease = ({ db, clock, log }: Parts, leaseMs: number) => {
  /** Extends the lease until `done` aborts; a lost lease aborts `lost`. */
  const keepLease = async (claim: Claim, done: AbortSignal, lost: AbortController): Promise<void> => {
    for (;;) {
      try {
        await clock.sleep(leaseMs / 3, done)
      } catch {
        return
      }
      try {
        if (await db.transact((tx) => extendLease(tx, claim, clock.now() + leaseMs))) continue
        lost.abort(new Error('the lease was lost'))
        return
      } catch (error) {
        // Tried again in a third of the lease; if the database stays away the lease runs out, as it should.
        log.warn({ err: error, ...namesOf(claim) }, 'a lease could not be extended')
      }
    }
  }
  /** Asked before the job begins: a process that stood still after it claimed may have lost the job to another. */
  const stillHolds = async (claim: Claim): Promise<boolean> =>
    clock.now() < claim.leaseUntil || db.transact((tx) => extendLease(tx, claim, clock.now() + leaseMs))

  return { keepLease, stillHolds }
}

type Definitions = ReadonlyMap<string, JobDefinition>

/** Writes down how a run ended: whether it is done, comes again, or has failed. */
const createRecord = ({ db, clock, log }: Parts, definitions: Definitions, { aborted, onRun }: RunnerOptions) => {
  const record = async (claim: Claim, failure: { error: unknown } | undefined, seconds: number): Promise<void> => {
    const { job } = claim
    const now = clock.now()
    const error = failure ? textOf(failure.error) : null
    const everyMs = definitions.get(job.kind)?.everyMs
    const repeats = everyMs !== undefined && job.id === recurringIdOf(job.kind)
    const final = !repeats && (job.attempts >= job.max_attempts || failure?.error instanceof GiveUp)
    const held = await db.transact((tx) => {
      if (failure && aborted.aborted) return requeueJob(tx, claim, { runAt: now, attempts: job.attempts - 1, error })
      if (repeats) return requeueJob(tx, claim, { runAt: now + everyMs, attempts: 0, error })
      if (!failure) return finishJob(tx, claim, { state: 'done', error, now })
      if (final) return finishJob(tx, claim, { state: 'failed', error, now })
      return requeueJob(tx, claim, { runAt: retryAt(now, job.attempts, failure), attempts: job.attempts, error })
    })
    const fields = { ...namesOf(claim), kind: job.kind, attempt: job.attempts }
    if (!held) {
      log.warn(fields, 'a job ended after its lease was lost')
      return
    }
    if (failure) log.warn({ ...fields, err: failure.error }, final ? 'a job failed' : 'a job will be retried')
    else log.debug(fields, 'a job is done')
    onRun?.(job.kind, failure ? (final ? 'failed' : 'retry') : 'done', seconds)
  }
  return record
}

/** Runs one claimed job to its end and records it; never rejects. */
export const createJobRunner = (app: Parts, options: RunnerOptions): { run(claim: Claim): Promise<void> } => {
  const { aborted } = options
  const definitions: Definitions = new Map(options.definitions.map((definition) => [definition.kind, definition]))
  const { keepLease, stillHolds } = createLease(app, options.leaseMs)
  const record = createRecord(app, definitions, options)

  const handle = async (claim: Claim, signal: AbortSignal): Promise<void> => {
    const { job } = claim
    if (!(await stillHolds(claim))) throw new Error('the lease was lost before the job began')
    signal.throwIfAborted()
    const definition = definitions.get(job.kind)
    if (!definition) throw new Error(`no job is called ${job.kind}`)
    // Every claim before was cut off without a word: the job may be what ends the process.
    if (job.attempts > job.max_attempts) throw new Error('given up: earlier runs ended with their process')
    const scope: Scope = { orgId: job.org_id, environment: job.environment }
    const payload: unknown = JSON.parse(job.payload)
    const call = { ...app, scope, actor: system, requestId: job.request_id ?? undefined }
    await definition.run(call, payload, { id: job.id, attempt: job.attempts, signal })
  }

  return {
    async run(claim) {
      const started = performance.now()
      const done = new AbortController()
      const stop = new AbortController()
      const forward = () => stop.abort(aborted.reason)
      if (aborted.aborted) forward()
      aborted.addEventListener('abort', forward, { once: true })
      const lease = keepLease(claim, done.signal, stop)
      const span = app.traces.begin(spanOf(claim))
      let failure: { error: unknown } | undefined
      try {
        await span.run(() => handle(claim, stop.signal))
      } catch (error) {
        failure = { error }
      }
      span.end(failure && { 'error.type': failure.error instanceof Error ? failure.error.name : typeof failure.error })
      done.abort()
      aborted.removeEventListener('abort', forward)
      await lease
      try {
        await record(claim, failure, (performance.now() - started) / 1000)
      } catch (error) {
        const fields = { err: error, ...namesOf(claim) }
        app.log.error(fields, 'the end of a job could not be recorded; its lease will run out')
      }
    },
  }
}
