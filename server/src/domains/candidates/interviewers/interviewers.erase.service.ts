import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { deleteInterviewers } from './interviewers.store.ts'

/** Who spoke with the candidate and was told; nothing of them stays. */
export const interviewersEraser = (): DomainEraser => ({
  order: 140,
  async erase({ tx, scope }, sessionId) {
    await deleteInterviewers(tx, scope, sessionId)
    return undefined
  },
})
