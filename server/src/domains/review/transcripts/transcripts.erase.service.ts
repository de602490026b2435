import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { deleteSegments } from './transcripts.store.ts'

/** The words of a session; nothing of them stays. */
export const transcriptsEraser = (): DomainEraser => ({
  order: 30,
  async erase({ tx, scope }, sessionId) {
    await deleteSegments(tx, scope, sessionId)
    return undefined
  },
})
