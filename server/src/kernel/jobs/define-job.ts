import type * as z from 'zod'
import { GiveUp } from '../../platform/give-up.ts'
import type { By, Needs } from '../call.ts'
import type { JobKind, JobPayloads } from '../jobs.types.ts'
import type { Parts } from '../parts.ts'

/** What a job may use, where it was asked for. Whoever asked has gone: the service itself acts. */
export type JobCall = Parts & Needs<'scope'> & By
/** What a recurring job may use: it belongs to no organisation. */
type RecurringCall = Parts & By

/** One run of a job. */
export interface JobRun {
  /** The same for every run of a job. */
  readonly id: string
  /** 1 for the first. */
  readonly attempt: number
  /** Aborted when the process must stop now, or the lease was lost to another process. */
  readonly signal: AbortSignal
}

/** A kind of job: everything that the queue must know of it. */
export interface JobDefinition<K extends string = string, C = JobCall> {
  readonly kind: K
  /** Milliseconds between two runs of a recurring job, which runs in one process at a time. */
  readonly everyMs?: number
  /** So many run at once in a process, so that they leave some places to others. */
  readonly limit?: number
  /** It decodes or renders, for seconds or minutes of a processor: not in a process whose role is `web`. */
  readonly heavy?: boolean
  /** Claims until it counts as failed. */
  readonly attempts: number
  /**
   * Resolves when the work is done; a rejection is retried, unless with `GiveUp`, as for a payload that is none of this
   * kind. May run more than once for one job.
   */
  readonly run: (call: C, payload: unknown, run: JobRun) => Promise<void>
}

/** A job that `jobs.enqueue` asks for. */
interface RequestedJob<K extends JobKind, C> extends Partial<Pick<JobDefinition, 'limit' | 'attempts' | 'heavy'>> {
  readonly kind: K
  readonly payload: z.ZodType<JobPayloads[K]>
  readonly run: (call: C, payload: JobPayloads[K], run: JobRun) => Promise<void>
}
/** A job that runs by itself. */
interface RecurringJob<K extends string, C> {
  readonly kind: K
  readonly everyMs: number
  readonly run: (call: C, payload: null, run: JobRun) => Promise<void>
}
interface Definable<K extends string, C>
  extends Partial<Pick<JobDefinition, 'everyMs' | 'limit' | 'attempts' | 'heavy'>> {
  readonly kind: K
  readonly payload?: z.ZodType
  readonly run: (call: C, payload: never, run: JobRun) => Promise<void>
}
interface DefineJob {
  <K extends JobKind, C = JobCall>(job: RequestedJob<K, C>): JobDefinition<K, C>
  <K extends string, C = RecurringCall>(job: RecurringJob<K, C>): JobDefinition<K, C>
}

const defaultAttempts = 10

/** In words that name fields and no values. */
const wordsOf = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')

/** A kind of job, with its schedule or the schema of its payload. */
export const defineJob: DefineJob = <K extends string, C>(job: Definable<K, C>): JobDefinition<K, C> => ({
  attempts: defaultAttempts,
  ...job,
  run: async (call, payload, run) => {
    const parsed = job.payload === undefined ? { success: true as const, data: null } : job.payload.safeParse(payload)
    if (!parsed.success) throw new GiveUp(`the payload is none of ${job.kind}: ${wordsOf(parsed.error)}`)
    await job.run(call, parsed.data as never, run)
  },
})

/** Does not compile while a kind that can be asked for has no definition. */
export const definedJobs = <D extends JobDefinition>(
  definitions: readonly D[] & (JobKind extends D['kind'] ? unknown : { readonly missing: Exclude<JobKind, D['kind']> }),
): readonly JobDefinition[] => definitions
