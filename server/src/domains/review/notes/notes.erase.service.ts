import type { SessionEraser } from '../../../kernel/session-eraser.ts'
import { deleteAnchors } from './notes.store.ts'

/** What reviewers wrote stays; what it pointed at is gone, and so are the pointers. */
export const notesEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    await deleteAnchors(tx, scope, sessionId)
    return undefined
  },
}
