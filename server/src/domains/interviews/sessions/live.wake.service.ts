import type { Needs } from '../../../kernel/call.ts'

/** The wake-up channel of what a live socket tells: a hint only, whoever listens polls as well. */
export const sessionsChannel = 'sessions'

/** After the commit, in every process: a session's policy, its state or one of its credentials has changed. */
export const announceChange = (call: Needs<'db' | 'reader' | 'tx'>): void =>
  call.tx.afterCommit(() => call.db.notify(sessionsChannel))
