import type { SessionEraser } from '../../../kernel/session-eraser.ts'
import { eraseInvited } from './invitations.store.ts'

/** Who was invited, and in which words; that and when somebody was invited stays. */
export const invitationsEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    await eraseInvited(tx, scope, sessionId)
    return undefined
  },
}
