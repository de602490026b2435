import { iso, isoOrNull } from '../../../kernel/time.ts'
import { datedAt } from './sandbox.dates.model.ts'
import { wallMs } from './sandbox.steps.model.ts'
import type { SimulationRow } from './sandbox.store.ts'

export const simulationView = (row: SimulationRow) => ({
  id: row.id,
  sessionId: row.sessionId,
  scenario: row.scenario,
  timeScale: row.timeScale,
  dated: row.datedFrom === null ? ('as_played' as const) : ('real_time' as const),
  status: row.status,
  steps: row.steps.map((step) => ({
    atSeconds: wallMs(row.timeScale, step.at) / 1000,
    what: step.what,
    doneAt: isoOrNull(step.doneAt),
    datedAt: isoOrNull(datedAt(row, step, step.doneAt)),
  })),
  startedAt: iso(row.startedAt),
  finishedAt: isoOrNull(row.finishedAt),
  failure: row.failure,
})
