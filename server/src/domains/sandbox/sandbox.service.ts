import { laneEnabled, notFound, type Scenario, ServiceError } from '@integrity/protocol'
import type { ActorOf } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { changeConfig, getSession, lockSession, type SessionRow } from '../sessions/sessions.service.ts'
import { enqueueStep } from './sandbox.run.service.ts'
import { declinedLanes, stepsOf } from './sandbox.scenarios.ts'
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

/** Starts a scenario. The same one again answers the run that is there. Refuses live keys with `forbidden`. */
export const startSimulation = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'api_key'>,
  sessionId: string,
  { scenario, timeScale }: { readonly scenario: Scenario; readonly timeScale: number },
): Promise<SimulationRow> => {
  sandboxOnly(scope)
  const session = await lockSession(tx, scope, sessionId)
  const known = await findSimulation(tx, scope, session.id)
  if (known && known.scenario !== scenario)
    throw new ServiceError('conflict', `this session plays ${known.scenario} already; create another session`)
  if (!known && session.state !== 'scheduled')
    throw new ServiceError('conflict', `this session is ${session.state}; only a scheduled one can be simulated`)
  if (!known && session.erasedAt !== null)
    throw new ServiceError('conflict', 'the evidence of this session was erased; nothing more is accepted')
  if (!known) checkPolicy(session, scenario)
  const run = known ?? (await begin(app, tx, scope, session, { scenario, timeScale }))
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'simulation.started',
    target: run.id,
    sessionId: session.id,
    payload: { scenario, timeScale: run.timeScale, again: known !== undefined },
  })
  if (!known && scenario === 'phone_interrupted' && !session.config.sideView.enabled)
    await changeConfig(app, tx, scope, actor, session.id, { sideView: { enabled: true } })
  return run
}

const begin = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  session: SessionRow,
  { scenario, timeScale }: { readonly scenario: Scenario; readonly timeScale: number },
): Promise<SimulationRow> => {
  const run: SimulationRow = {
    id: app.newId('sim'),
    sessionId: session.id,
    scenario,
    timeScale,
    status: 'running',
    steps: stepsOf[scenario]().map((step) => ({ ...step, doneAt: null })),
    nextStep: 0,
    startedAt: app.clock.now(),
    finishedAt: null,
    failure: null,
  }
  await insertSimulation(tx, scope, run)
  await enqueueStep(app, tx, scope, run)
  return run
}

export const getSimulation = async (reader: Reader, scope: Scope, sessionId: string): Promise<SimulationRow> => {
  sandboxOnly(scope)
  const session = await getSession(reader, scope, sessionId)
  const run = await findSimulation(reader, scope, session.id)
  if (!run) throw notFound('simulation')
  return run
}
