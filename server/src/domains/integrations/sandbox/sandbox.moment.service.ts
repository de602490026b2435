import { type EvidenceType, evidenceTypes, type LaneName, laneEnabled, typeEnabled } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { Tx } from '../../../platform/db/types.ts'
import { laneGranted } from '../../interviews/sessions/consent/consent.model.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { datedAt } from './sandbox.dates.model.ts'
import type { Act } from './sandbox.steps.model.ts'
import type { RunStep, SimulationRow } from './sandbox.store.ts'

/** What the simulated agent calls with: the services that a real one reaches over the wire. */
export type AgentCall = Reads &
  By<ActorOf<'agent'>> &
  Needs<
    | 'db'
    | 'clock'
    | 'newId'
    | 'audit'
    | 'outbox'
    | 'jobs'
    | 'sessionKeys'
    | 'store'
    | 'log'
    | 'metrics'
    | 'traces'
    | 'keyring'
    | 'credentials'
    | 'openUploads'
    | 'pictures'
    | 'identities'
    | 'buffers'
    | 'config'
  >

/** The moment in which a step runs, and all it may look at. */
export interface Moment {
  readonly call: AgentCall
  readonly run: SimulationRow
  /** Of the step. */
  readonly index: number
  readonly session: SessionRow
  /** Epoch milliseconds. Whatever the step says happens now happens at this instant. */
  readonly now: number
}

/** What a step has made ready outside of any transaction. */
export interface Work {
  write(tx: Tx): Promise<void>
  /** When nothing of the transaction stayed. */
  readonly discard: () => Promise<void>
}

export const writing = (write: (tx: Tx) => Promise<void>): Work => ({ write, discard: async () => undefined })
export const nothing: Work = writing(async () => undefined)

/** The client's id of an item: the same whenever the step runs. */
export const clientIdOf = ({ run, index }: Pick<Moment, 'run' | 'index'>, item: string): string =>
  `${run.id}.${index}.${item}`

/** Is this lane observed: asked for by the policy and agreed to? */
export const laneOn = ({ config, consent }: SessionRow, lane: LaneName): boolean =>
  laneEnabled(config, lane) && laneGranted(consent, lane)

export const typeOn = (session: SessionRow, type: EvidenceType): boolean =>
  laneOn(session, evidenceTypes[type].lane) && typeEnabled(session.config, type)

/** `doneAt` is the instant that its results carry. */
export type DoneStep<Does extends Act['do'] = Act['do']> = RunStep & {
  readonly act: Extract<Act, { do: Does }>
  readonly doneAt: number
  readonly index: number
}

/** Steps that do one of these and ran before this one, oldest first. */
export const doneBefore = <Does extends Act['do']>({ run, index }: Moment, ...acts: readonly Does[]) =>
  run.steps
    .slice(0, index)
    .map((step, at) => ({ ...step, index: at, doneAt: step.doneAt && datedAt(run, step, step.doneAt) }))
    .filter((step): step is DoneStep<Does> => step.doneAt !== null && acts.some((act) => act === step.act.do))
