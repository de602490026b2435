import type { Reads } from '../../../kernel/call.ts'
import { type EndedSession, type EndedStretch, listEnded } from './ended.store.ts'

/** Interviews that began, ended and are not erased, in the order of their ends. */
export const endedBetween = (call: Reads, stretch: EndedStretch): Promise<EndedSession[]> =>
  listEnded(call.reader, call.scope, stretch)
