import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { eraseLaneWords } from './lanes.store.ts'

/** Times and counts of the lanes stay; what an agent named its displays and its items, and its reasons, go. Before the events. */
export const lanesEraser = (): DomainEraser => ({
  order: 40,
  async erase({ tx, scope }, sessionId) {
    await eraseLaneWords(tx, scope, sessionId)
    return undefined
  },
})
