import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { deleteAnchors } from './notes.store.ts'

/** What reviewers wrote stays; what it pointed at is gone, and so are the pointers. */
export const notesEraser = (): DomainEraser => ({
  order: 100,
  async erase({ tx, scope }, sessionId) {
    await deleteAnchors(tx, scope, sessionId)
    return undefined
  },
})
