import { laneEnabled, notFound, type Scenario, ServiceError } from '@integrity/protocol'
import type { Needs, Reads, WriteCall, Writes } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { sessionRecord } from '../../interviews/sessions/lists/sessions.records.service.ts'
import { changeConfig, dateCreation } from '../../interviews/sessions/sessions.config.service.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { datedFromOf } from './sandbox.dates.model.ts'
import { enqueueStep } from './sandbox.run.service.ts'
import { declinedLanes, stepsOf, withPhone } from './sandbox.scenarios.model.ts'
import { findSimulation, insertSimulation, type SimulationRow } from './sandbox.store.ts'

/** Before anything is looked up, so that a live key learns nothing of any session. */
const sandboxOnly = (scope: Scope): void => {
  if (scope.environment !== 'sandbox')
    throw new ServiceError('forbidden', 'interviews are simulated in the sandbox only; use a sandbox key')
}

/** Can this scenario be played under the session's policy? */
const checkPolicy = ({ config }: SessionRow, scenario: Scenario): void => {
  if (scenario !== 'lane_declined') return
  const enabled = declinedLanes.filter((lane) => laneEnabled(config, lane))
  if (enabled.length === 0)
    throw new ServiceError(
      'conflict',
      'camera and microphone are off in the policy of this session: nothing to decline',
    )
  const required = enabled.filter((lane) => !config.optionalLanes.includes(lane))
  if (required.length > 0)
    throw new ServiceError('conflict', `the policy of this session requires ${required.join(' and ')}`, {
      details: [{ path: 'config.optionalLanes', message: `must name ${required.join(' and ')} to be declined` }],
    })
}

interface Wanted {
  readonly scenario: Scenario
  readonly timeScale: number
  readonly dated: 'real_time' | 'as_played'
}

/** Starts a scenario. The same one again answers the run that is there. Refuses live keys with `forbidden`. */
export const startSimulation = async (
  call: WriteCall<ActorOf<'api_key'> | ActorOf<'user'>> & Needs<'db'>,
  { sessionId, wanted }: { readonly sessionId: string; readonly wanted: Wanted },
): Promise<SimulationRow> => {
  const { tx, scope } = call
  const { scenario } = wanted
  sandboxOnly(scope)
  const session = await lockSession(call, sessionId)
  const known = await findSimulation(tx, scope, session.id)
  if (known && known.scenario !== scenario)
    throw new ServiceError('conflict', `this session plays ${known.scenario} already; create another session`)
  if (!known && session.state !== 'scheduled')
    throw new ServiceError('conflict', `this session is ${session.state}; only a scheduled one can be simulated`)
  if (!known && session.erasedAt !== null)
    throw new ServiceError('conflict', 'the evidence of this session was erased; nothing more is accepted')
  if (!known) checkPolicy(session, scenario)
  const run = known ?? (await begin(call, session, wanted))
  await call.audit.append(call, {
    action: 'simulation.started',
    target: run.id,
    sessionId: session.id,
    payload: { scenario, timeScale: run.timeScale, dated: run.datedFrom !== null, again: known !== undefined },
    records: await sessionRecord(call, { sessionId: session.id }),
  })
  if (!known && withPhone.includes(scenario) && !session.config.sideView.enabled)
    await changeConfig(call, { sessionId: session.id, patch: { sideView: { enabled: true } } })
  return run
}

const begin = async (
  call: Writes & Needs<'clock' | 'jobs' | 'newId'>,
  session: SessionRow,
  { scenario, timeScale, dated }: Wanted,
): Promise<SimulationRow> => {
  const steps = stepsOf[scenario]()
  const now = call.clock.now()
  const run: SimulationRow = {
    id: call.newId('sim'),
    sessionId: session.id,
    scenario,
    timeScale,
    datedFrom: dated === 'real_time' ? datedFromOf(steps, now) : null,
    status: 'running',
    steps: steps.map((step) => ({ ...step, doneAt: null })),
    nextStep: 0,
    startedAt: now,
    finishedAt: null,
    failure: null,
  }
  await insertSimulation(call.tx, call.scope, run)
  if (run.datedFrom !== null) await dateCreation(call, { session, at: run.datedFrom })
  await enqueueStep(call, run)
  return run
}

export const getSimulation = async (call: Reads, sessionId: string): Promise<SimulationRow> => {
  const { scope } = call
  sandboxOnly(scope)
  const session = await getSession(call, sessionId)
  const run = await findSimulation(call.reader, scope, session.id)
  if (!run) throw notFound('simulation')
  return run
}
