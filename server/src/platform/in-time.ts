/**
 * What `work` comes to, unless it takes longer than `ms` milliseconds: then it rejects with `late`'s error, and what
 * the work does afterwards concerns nobody. The wait for it keeps no process alive.
 */
export const inTime = async <T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms).unref()
  })
  // Nobody may be there any more when it fails.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
