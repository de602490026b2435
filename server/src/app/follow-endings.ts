import { sessionsChannel } from '../domains/interviews/sessions/live.wake.service.ts'
import { sessionKeysChannel } from '../domains/recording/evidence/session-keys.parts.ts'
import { credentialsChannel } from '../kernel/credential-cache.ts'
import type { Parts } from '../kernel/parts.ts'

/**
 * Makes what another process ended end here: what is known of credentials and keys is forgotten, and every open stream is asked
 * whether it may go on. Returns how to stop.
 */
export const followEndings = (app: Pick<Parts, 'credentials' | 'db' | 'sessionKeys' | 'streams'>): (() => void) => {
  let rechecking = false
  let again = false
  const recheck = async (): Promise<void> => {
    again = true
    if (rechecking) return
    rechecking = true
    try {
      while (again) {
        again = false
        await app.streams.recheck()
      }
    } finally {
      rechecking = false
    }
  }
  const stops = [
    app.db.listen(credentialsChannel, () => {
      app.credentials.forget()
      void recheck()
    }),
    // A session that has ended ends the tokens of its devices; their live sockets look for themselves.
    app.db.listen(sessionsChannel, () => app.credentials.forget()),
    app.db.listen(sessionKeysChannel, () => app.sessionKeys.forgetAll()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
