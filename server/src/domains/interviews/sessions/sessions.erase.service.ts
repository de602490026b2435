import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { forgetWords } from './lists/session-words.service.ts'

export const sessionsEraser = (): DomainEraser => ({
  order: 150,
  async erase(call, sessionId) {
    await forgetWords(call, sessionId)
    return undefined
  },
})
