import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { eraseExcerpts } from './deliveries.log.store.ts'

/** What receivers answered may repeat what they were sent. That, when and how it was delivered stays. */
export const deliveriesEraser = (): DomainEraser => ({
  order: 160,
  async erase({ tx, scope }, sessionId) {
    await eraseExcerpts(tx, scope, sessionId)
    return undefined
  },
})
