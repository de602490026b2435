import { heaviestShown } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { type Days, daysOf } from '../../../kernel/days.ts'
import { type KeptEvidence, keptEvidence } from '../evidence/usage.service.ts'

interface ReadUsageInput {
  readonly orgId: string
  readonly asked: { readonly from?: string | undefined; readonly to?: string | undefined }
}

/** What an organisation keeps, and how it became that in the time asked for. */
export const readUsage = async (
  call: Needs<'clock' | 'reader'>,
  { orgId, asked }: ReadUsageInput,
): Promise<{ days: Days; kept: KeptEvidence }> => {
  const days = daysOf(asked, call.clock.now())
  return { days, kept: await keptEvidence(call, { orgId, days, heaviest: heaviestShown }) }
}
