import type { AppContext } from '../../kernel/parts.ts'
import type { Tx } from '../../platform/db/types.ts'

/** The wake-up channel of what a live socket tells: a hint only, whoever listens polls as well. */
export const sessionsChannel = 'sessions'

/** After the commit, in every process: a session's policy, its state or one of its credentials has changed. */
export const announceChange = (app: Pick<AppContext, 'db'>, tx: Tx): void =>
  tx.afterCommit(() => app.db.notify(sessionsChannel))
