import { hash } from 'node:crypto'
import { quoted } from '../../../kernel/audit/audit.chain.ts'
import type { EventRow } from './integrity-events.store.ts'

type Told = Omit<EventRow, 'place' | 'position'>

/**
 * What the audit row of a batch commits to: SHA-256, in hex, over its events as they are stored, a value a line
 * (docs/proof.md). The service's ids are random, so that nobody tells from it what was erased.
 */
export const eventsHash = (
  { orgId, sessionId }: { readonly orgId: string; readonly sessionId: string },
  first: number,
  rows: readonly Told[],
): string => {
  let text = `session-events/1\n${orgId}\n${sessionId}\n${first}\n`
  for (const row of rows)
    text += `${row.id}\n${row.clientId}\n${row.kind}\n${row.observedAt}\n${row.monotonicMs ?? '-'}\n${quoted(row.source)}\n${row.receivedAt}\n${row.data}\n`
  return hash('sha256', text, 'hex')
}
