import { ServiceError } from '@integrity/protocol'
import { inTx, type Needs, type Writes } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Tx } from '../../../platform/db/types.ts'
import { undoOnRollback } from '../../../platform/db/undo-on-rollback.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { prepareAct } from './sandbox.acts.service.ts'
import { datedAt } from './sandbox.dates.model.ts'
import { withDisorder } from './sandbox.disorder.service.ts'
import type { AgentCall } from './sandbox.moment.service.ts'
import { wallMs } from './sandbox.steps.model.ts'
import { findSimulation, type SimulationRow, saveProgress } from './sandbox.store.ts'

/** Runs of a step that may fail before the simulation does. */
export const triesOfStep = 3

/** Queues the next step, due on the wall clock when the time scale says. */
export const enqueueStep = async (call: Writes & Needs<'jobs'>, run: SimulationRow): Promise<void> => {
  const step = run.steps[run.nextStep]
  if (!step) throw new Error(`simulation ${run.id} has no step ${run.nextStep}`)
  await call.jobs.enqueue(call, {
    kind: 'sandbox.step',
    payload: { sessionId: run.sessionId, step: run.nextStep },
    runAt: run.startedAt + wallMs(run.timeScale, step.at),
  })
}

/** The simulated agent, under the simulation's own id: the audit chain tells it from a real one. */
const agentOf = (scope: Scope, run: SimulationRow): ActorOf<'agent'> => ({
  ...scope,
  kind: 'agent',
  id: run.id,
  sessionId: run.sessionId,
  label: 'simulated agent',
})

const isAt = (run: SimulationRow | undefined, index: number): run is SimulationRow =>
  run?.status === 'running' && run.nextStep === index

/** What somebody else did to the session so that the simulation cannot go on, in words. */
const interference = (session: SessionRow, run: SimulationRow): string | undefined => {
  const { do: act } = run.steps[run.nextStep]?.act ?? { do: 'rest' }
  if (act === 'rest') return undefined
  if (session.erasedAt !== null) return 'the evidence of the session was erased by somebody else'
  const ownEnd = run.steps.some((step) => step.act.do === 'end' && step.doneAt !== null)
  if (session.state === 'ended' && !ownEnd) return 'the session was ended by somebody else'
  if (session.state === 'live' && act === 'register') return 'another agent has registered with the session'
  return undefined
}

const finish = async (
  call: Writes & Needs<'audit' | 'clock'>,
  run: SimulationRow,
  failure: string | null,
): Promise<void> => {
  const { tx, scope } = call
  const status = failure === null ? 'done' : 'failed'
  await saveProgress(tx, scope, { ...run, status, failure, finishedAt: call.clock.now() })
  await call.audit.append(
    { tx, scope, actor: agentOf(scope, run) },
    {
      action: 'simulation.ended',
      target: run.id,
      sessionId: run.sessionId,
      payload: { status, failure },
    },
  )
}

/** Ends a simulation whose step cannot be done; nothing when it has gone on or ended meanwhile. */
export const failRun = (
  call: Needs<'audit' | 'clock' | 'db' | 'scope'>,
  { sessionId, index, words }: { sessionId: string; index: number; words: string },
): Promise<void> =>
  call.db.transact(async (tx) => {
    const session = await lockSession(inTx(call, tx), sessionId)
    const run = await findSimulation(tx, call.scope, sessionId)
    if (isAt(run, index)) await finish(inTx(call, tx), run, interference(session, run) ?? words)
  })

/** In the transaction of the step's effect, so that a step that runs twice has one effect. */
const advance = async (
  call: Writes & Needs<'audit' | 'clock' | 'jobs'>,
  run: SimulationRow,
  doneAt: number,
): Promise<void> => {
  const steps = run.steps.map((step, index) => (index === run.nextStep ? { ...step, doneAt } : step))
  const next = { ...run, steps, nextStep: run.nextStep + 1 }
  if (next.nextStep === steps.length) return finish(call, next, null)
  await saveProgress(call.tx, call.scope, next)
  await enqueueStep(call, next)
}

/**
 * Runs the step `index` if it is the next one. Its effect goes through the services that real agents reach, and
 * commits together with the progress. Rejects when it could not be done; it may then be run again.
 */
export const runStep = async (
  call: Omit<AgentCall, 'actor'>,
  { sessionId, index }: { sessionId: string; index: number },
): Promise<void> => {
  const { scope } = call
  const run = await findSimulation(call.reader, scope, sessionId)
  if (!isAt(run, index)) return
  const session = await getSession(call, sessionId)
  const stopped = interference(session, run)
  if (stopped !== undefined) return failRun(call, { sessionId, index, words: stopped })
  const agent = agentOf(scope, run)
  const ranAt = call.clock.now()
  const now = datedAt(run, run.steps[index] ?? { at: 0 }, ranAt)
  // Its agent lives by the interview's dates; the service's own books, which are audit, events and jobs, do not.
  const clock = { ...call.clock, now: () => (run.datedFrom === null ? call.clock.now() : now) }
  const work = await prepareAct({ call: { ...call, clock, actor: agent }, run, index, session, now })
  const write = async (tx: Tx) => {
    const locked = await lockSession(inTx(call, tx), sessionId)
    const current = await findSimulation(tx, scope, sessionId)
    if (!isAt(current, index)) return false
    const words = interference(locked, current)
    if (words !== undefined) throw new ServiceError('conflict', words)
    await withDisorder(inTx(call, tx), { run: current, work: () => work.write(tx) })
    await advance(inTx(call, tx), current, ranAt)
    return true
  }
  const done = await undoOnRollback(() => call.db.transact(write), work.discard)
  if (!done) await work.discard()
}
