import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { keepOwedAddresses } from './candidate-requests.store.ts'
import { deleteMessages } from './messages.store.ts'

/**
 * That something was asked for and what became of it stays, with what was written about the erasure itself: it is the
 * record of how the candidate's wish was handled. All other words go. Where an answer is still owed, the address for it
 * stays until that was sent. Before the invitations.
 */
export const candidateRequestsEraser = (): DomainEraser => ({
  order: 120,
  async erase({ tx, scope }, sessionId) {
    await keepOwedAddresses(tx, scope, sessionId)
    await deleteMessages(tx, scope, sessionId)
    return undefined
  },
})
