import type { Scenario } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { Step } from './sandbox.steps.model.ts'

/** A step of a run; `doneAt` in epoch milliseconds. */
export type RunStep = Step & { readonly doneAt: number | null }

export interface SimulationRow {
  readonly id: string
  readonly sessionId: string
  readonly scenario: Scenario
  readonly timeScale: number
  /** When the interview began by its own dates; null when it is dated by the clock while it plays. */
  readonly datedFrom: number | null
  readonly status: 'running' | 'done' | 'failed'
  /** Kept with the run, so that one that is under way does not change with the program. */
  readonly steps: readonly RunStep[]
  readonly nextStep: number
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly failure: string | null
}
type Raw = Omit<SimulationRow, 'steps'> & { readonly steps: string }

const columns = `simulation_id AS id, session_id AS "sessionId", scenario, time_scale AS "timeScale",
  dated_from AS "datedFrom", status, steps,
  next_step AS "nextStep", started_at AS "startedAt", finished_at AS "finishedAt", failure`

const fromRaw = (raw: Raw): SimulationRow => ({ ...raw, steps: JSON.parse(raw.steps) as RunStep[] })

/** The simulation of a session; there is at most one. */
export const findSimulation = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<SimulationRow | undefined> => {
  const raw = await reader.get<Raw>(
    `SELECT ${columns} FROM simulations WHERE org_id = ? AND environment = ? AND session_id = ?`,
    [scope.orgId, scope.environment, sessionId],
  )
  return raw && fromRaw(raw)
}

export const insertSimulation = async (tx: Tx, scope: Scope, row: SimulationRow): Promise<void> => {
  await tx.run(
    `INSERT INTO simulations (org_id, simulation_id, environment, session_id, scenario, time_scale, dated_from,
       status, steps, next_step, started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      scope.orgId,
      row.id,
      scope.environment,
      row.sessionId,
      row.scenario,
      row.timeScale,
      row.datedFrom,
      row.status,
      JSON.stringify(row.steps),
      row.nextStep,
      row.startedAt,
    ],
  )
}

/** Writes how far a run has come. The session must be locked. */
export const saveProgress = async (tx: Tx, scope: Scope, row: SimulationRow): Promise<void> => {
  await tx.run(
    `UPDATE simulations SET status = ?, steps = ?, next_step = ?, finished_at = ?, failure = ?
     WHERE org_id = ? AND environment = ? AND simulation_id = ?`,
    [
      row.status,
      JSON.stringify(row.steps),
      row.nextStep,
      row.finishedAt,
      row.failure,
      scope.orgId,
      scope.environment,
      row.id,
    ],
  )
}
