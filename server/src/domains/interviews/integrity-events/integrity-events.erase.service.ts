import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { readStates } from './integrity-events.states.service.ts'
import { eraseEventWords } from './integrity-events.store.ts'

/** Kind, times and counts stay: names of windows, programs, devices and networks go with the rest of what an event said. */
export const integrityEventsEraser = (): DomainEraser => ({
  order: 50,
  async erase({ tx, scope }, sessionId) {
    const { positions } = await readStates({ reader: tx, scope }, sessionId)
    await eraseEventWords(tx, scope, { sessionId, states: [...positions] })
    return undefined
  },
})
