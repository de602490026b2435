import type { Needs } from '../../../kernel/call.ts'
import { noteProgress, type RenderRun } from './compositions.store.ts'

const everyMs = 1000

export interface Progress {
  /** 0 to 1; may be called as often as one likes. */
  readonly report: (progress: number) => void
  /** Aborted once the row says that somebody wants another render, or none. */
  readonly unwanted: AbortSignal
  /** Resolves when nothing is being written. */
  readonly settled: () => Promise<void>
}

/** Writes the progress of a render about once a second and learns by it whether the render is still wanted. */
export const followProgress = (call: Needs<'clock' | 'db' | 'log' | 'scope'>, render: RenderRun): Progress => {
  const stop = new AbortController()
  let last = Number.NEGATIVE_INFINITY
  let writing: Promise<void> | undefined
  const write = async (permille: number): Promise<void> => {
    try {
      const wanted = await call.db.transact((tx) => noteProgress(tx, call.scope, render, permille))
      if (!wanted) stop.abort(new Error('this render is not wanted any more'))
    } catch (error) {
      call.log.warn(
        { err: error, compositionId: render.compositionId },
        'the progress of a render could not be written',
      )
    } finally {
      writing = undefined
    }
  }
  return {
    report: (progress) => {
      const now = call.clock.now()
      if (writing || now - last < everyMs) return
      last = now
      // The last of it is storing the film.
      writing = write(Math.floor(Math.min(1, Math.max(0, progress)) * 990))
    },
    unwanted: stop.signal,
    settled: async () => {
      await writing
    },
  }
}
