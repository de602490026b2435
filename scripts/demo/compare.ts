import type { LedgerItem } from './agent.ts'

interface Stored {
  readonly clientId: string
  readonly sha256: string
}

export interface Comparison {
  /** In the ledger, captured before the end, and on the server exactly once with the same hash. */
  readonly delivered: number
  /** Captured after the service had ended the session and before the agent heard of it. */
  readonly afterEnd: number
  /** Found on disk after the kill: captured, though the ledger did not know yet. */
  readonly adopted: number
  /** What should not be, in words. Empty when all is well. */
  readonly problems: readonly string[]
}

/** Compares what the agent counted as captured with what the server lists. `endedAt` is the session's, ISO 8601. */
export const compareLedger = (
  ledger: readonly LedgerItem[],
  stored: readonly Stored[],
  { endedAt, adopted }: { endedAt: string; adopted: ReadonlySet<string> },
): Comparison => {
  const problems: string[] = []
  const rows = Map.groupBy(stored, ({ clientId }) => clientId)
  for (const [clientId, same] of rows) if (same.length > 1) problems.push(`${clientId} is there ${same.length} times`)
  const end = Date.parse(endedAt)
  let delivered = 0
  let afterEnd = 0
  for (const { clientId, sha256, kind, capturedAt } of ledger) {
    const row = rows.get(clientId)?.[0]
    if (Date.parse(capturedAt) > end) {
      afterEnd += 1
      if (row) problems.push(`${kind} ${clientId} was captured after the end and is there`)
    } else if (!row) problems.push(`${kind} ${clientId} is missing`)
    else if (row.sha256 !== sha256) problems.push(`${kind} ${clientId} has another hash`)
    else delivered += 1
  }
  const known = new Set(ledger.map(({ clientId }) => clientId))
  const unknown = [...rows.keys()].filter((clientId) => !known.has(clientId))
  for (const clientId of unknown) if (!adopted.has(clientId)) problems.push(`${clientId} was never captured`)
  return { delivered, afterEnd, adopted: unknown.length, problems }
}
