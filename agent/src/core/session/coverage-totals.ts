import type { Statement } from './account-subject.ts'

/** Seconds of one lane since this agent started. */
export interface CoverageTotal {
  readonly lane: string
  readonly expectedSeconds: number
  readonly observedSeconds: number
}

/** Adds up what the service is told window by window, for the candidate's own ledger. Displays count with their lane. */
export class CoverageTotals {
  readonly #totals = new Map<string, CoverageTotal>()

  add({ lane, expectedSeconds, observedSeconds }: CoverageTotal): void {
    const before = this.#totals.get(lane) ?? { expectedSeconds: 0, observedSeconds: 0 }
    this.#totals.set(lane, {
      lane,
      expectedSeconds: before.expectedSeconds + expectedSeconds,
      observedSeconds: before.observedSeconds + observedSeconds,
    })
  }

  /** Time in which this agent did not run is none of its own. */
  addStatements(statements: readonly Statement[]): void {
    for (const { lane, displayId, fromAt, toAt, reason } of statements) {
      if (displayId !== undefined || reason === 'agent_stopped') continue
      const expectedSeconds = (toAt - fromAt) / 1000
      this.add({ lane, expectedSeconds, observedSeconds: reason === undefined ? expectedSeconds : 0 })
    }
  }

  list(): CoverageTotal[] {
    return [...this.#totals.values()]
  }
}
