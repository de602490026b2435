import { ServiceError } from '@integrity/protocol'
import { evidenceView } from '../evidence/evidence.view.ts'
import type { Outcome } from '../evidence/intake/intake.rows.service.ts'

const errorView = (refusal: Error) => {
  // What of the stored rows cannot be trusted is for the operator's log.
  if (!(refusal instanceof ServiceError)) return { code: 'internal_error', message: 'this item could not be stored' }
  const { code, message, details, headers } = refusal
  const retryAfter = Number(headers['Retry-After'])
  return {
    code,
    message,
    ...(details.length > 0 && { details: [...details] }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: Math.ceil(retryAfter) }),
  }
}

/** The result for one item of a pack. */
export const packItemView = (clientId: string | null, outcome: Outcome) => {
  if ('refusal' in outcome) return { clientId, status: 'refused', error: errorView(outcome.refusal) } as const
  const { row, created } = outcome
  return { clientId, status: created ? 'stored' : 'known', evidence: evidenceView(row) } as const
}
