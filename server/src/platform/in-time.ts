import { awake } from './awake.ts'

/**
 * What `work` comes to, unless it takes longer than `ms` milliseconds in which this process ran: then it rejects with `late`'s
 * error, and what the work does afterwards concerns nobody. The wait for it keeps no process alive.
 */
export const inTime = async <T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> => {
  const over = new AbortController()
  const tooLate = Promise.withResolvers<never>()
  void awake(ms, over.signal).then(() => over.signal.aborted || tooLate.reject(late()))
  // Nobody may be there any more when it fails.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, tooLate.promise])
  } finally {
    over.abort()
  }
}
