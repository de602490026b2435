import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { forgetInterview } from './base-rates.store.ts'

/** An interview that was erased is in no count: nobody could count it again. */
export const reportsEraser = (): DomainEraser => ({
  order: 110,
  async erase({ tx, scope }, sessionId) {
    await forgetInterview(tx, scope, sessionId)
    return undefined
  },
})
