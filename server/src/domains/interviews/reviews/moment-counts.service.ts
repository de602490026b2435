import type { Writes } from '../../../kernel/call.ts'
import { saveMoments } from './reviews.store.ts'

/** The queue shows how many moments there are without looking for them. Call with the session locked. */
export const noteMoments = (
  { tx, scope }: Pick<Writes, 'tx' | 'scope'>,
  { sessionId, moments }: { readonly sessionId: string; readonly moments: number },
): Promise<void> => saveMoments(tx, scope, sessionId, moments)
