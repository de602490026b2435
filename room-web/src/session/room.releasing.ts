import { IntegrityError } from '@integrity/client/errors'
import type { Timer } from '@integrity/shared-ui/session/timer'
import type { RoomPorts } from './room.ports.ts'
import type { ReleasingState } from './room.states.ts'
import type { StillsQueue } from './stills.queue.ts'

/** Resolves once the service knows that the room is let go, or its link is over already, which is where this was to lead. */
export const letGo = ({ api }: RoomPorts, timer: Timer, onUnreached: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const attempt = () => {
      api.release().then(resolve, (error: unknown) => {
        if (!(error instanceof IntegrityError)) return reject(error)
        if (!error.isPassing) return resolve()
        onUnreached()
        return timer.retry(error, attempt)
      })
    }
    attempt()
  })

/** What still waits is given up: how many those were, and what was counted before. */
export const giveUp = async (queue: StillsQueue | undefined, sessionId: string) => {
  const progress = await queue?.progress(sessionId)
  const lost = (await queue?.purge(sessionId)) ?? 0
  return progress && { lost, progress: { ...progress, waiting: 0 } }
}

/** What became of the pictures; nothing of them is kept here any more. */
export const lastCount = async (queue: StillsQueue | undefined, sessionId: string, shown: ReleasingState) => {
  // What was given up took its count with it.
  const counted = shown.lost > 0 ? shown.sending.progress : await queue?.progress(sessionId)
  await queue?.purge(sessionId)
  return { sent: counted?.sent ?? 0, lost: shown.lost }
}
