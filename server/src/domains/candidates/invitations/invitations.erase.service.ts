import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { eraseInvited } from './invitations.store.ts'

/** Who was invited, and in which words; that and when somebody was invited stays. */
export const invitationsEraser = (): DomainEraser => ({
  order: 130,
  async erase({ tx, scope }, sessionId) {
    await eraseInvited(tx, scope, sessionId)
    return undefined
  },
})
