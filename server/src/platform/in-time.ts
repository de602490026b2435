import { awake } from './awake.ts'

/**
 * What `work` comes to, unless it takes longer than `ms` milliseconds in which this process ran: then it rejects with `late`'s
 * error, and what the work does afterwards concerns nobody. The wait for it keeps no process alive.
 */
export const inTime = async <T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> => {
  const over = new AbortController()
  const tooLate = awake(ms, over.signal).then(() => {
    throw late()
  })
  // Nobody may be there any more when they fail.
  for (const one of [work, tooLate]) one.catch(() => undefined)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    over.abort()
  }
}
