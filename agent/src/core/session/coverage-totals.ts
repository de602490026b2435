/** Seconds of one lane since this agent started. */
export interface CoverageTotal {
  readonly lane: string
  readonly expectedSeconds: number
  readonly observedSeconds: number
}

/** Adds up what the service is told window by window, for the candidate's own ledger. Displays count with their lane. */
export class CoverageTotals {
  readonly #totals = new Map<string, CoverageTotal>()

  add({ lane, displayId, expectedSeconds, observedSeconds }: CoverageTotal & { readonly displayId?: string }): void {
    if (displayId !== undefined) return
    const before = this.#totals.get(lane) ?? { expectedSeconds: 0, observedSeconds: 0 }
    this.#totals.set(lane, {
      lane,
      expectedSeconds: before.expectedSeconds + expectedSeconds,
      observedSeconds: before.observedSeconds + observedSeconds,
    })
  }

  list(): CoverageTotal[] {
    return [...this.#totals.values()]
  }
}
