import type { Needs } from '../../../kernel/call.ts'
import type { Days } from '../../../kernel/days.ts'
import { type Amount, type DayRow, type HeavySession, listHeaviest, listUsage, listUsageOfDays } from './usage.store.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    /** Bytes of evidence that an organisation keeps: what a new session is refused by, which this domain knows nothing of. */
    readonly keptBytes: (call: Needs<'reader'>, orgId: string) => Promise<number>
  }
}

export interface KeptEvidence {
  readonly byType: readonly Amount[]
  readonly days: readonly DayRow[]
  readonly heaviest: readonly HeavySession[]
}

/** What an organisation keeps in both environments, and what came and went: kept counts. */
export const keptEvidence = async (
  { reader }: Needs<'reader'>,
  { orgId, days, heaviest }: { readonly orgId: string; readonly days: Days; readonly heaviest: number },
): Promise<KeptEvidence> => ({
  byType: await listUsage(reader, orgId),
  days: await listUsageOfDays(reader, orgId, days.from, days.until),
  heaviest: await listHeaviest(reader, orgId, heaviest),
})

/** Bytes of evidence that an organisation keeps: kept counts. */
export const keptBytes = async ({ reader }: Needs<'reader'>, orgId: string): Promise<number> =>
  (await listUsage(reader, orgId)).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
