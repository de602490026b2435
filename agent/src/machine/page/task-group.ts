/**
 * Runs pieces of work that belong together: when one ends or fails, the others are told to end. Resolves when all have
 * ended; throws the first failure.
 */
export const runTaskGroup = async (
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> => {
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  const failures: unknown[] = []
  const run = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    try {
      await work(both)
    } catch (error) {
      failures.push(error)
    } finally {
      over.abort()
    }
  }
  await Promise.all(works.map(run))
  if (failures.length > 0) throw failures[0]
}
