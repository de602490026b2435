import { configuringActions } from '@integrity/protocol'
import type { Audit, AuditEntry, AuditedCall } from '../../../kernel/audit/audit.types.ts'
import type { Parts } from '../../../kernel/parts.ts'
import { compareAt } from './statements.store.ts'

const configuring: ReadonlySet<string> = new Set(configuringActions)

/** Who changes several settings one after the other is told of them together. */
export const restMs = 120_000

/**
 * An audit that has the statement of an organisation compared once its configuration has rested: whatever changes one writes
 * its row here, and none can forget it.
 */
export const watchConfiguration = (audit: Audit, { clock }: Pick<Parts, 'clock'>): Audit => {
  const compareLater = async ({ tx, scope }: Omit<AuditedCall, 'actor'>, entries: readonly AuditEntry[]) => {
    if (entries.some(({ action }) => configuring.has(action))) await compareAt(tx, scope.orgId, clock.now() + restMs)
  }
  return {
    ...audit,
    append: async (call, entry) => {
      await audit.append(call, entry)
      await compareLater(call, [entry])
    },
    appendAll: async (call, entries) => {
      await audit.appendAll(call, entries)
      await compareLater(call, entries)
    },
  }
}
