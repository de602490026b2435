/** Turns of the event loop that are waited for at most. */
const turns = 8

/**
 * Resolves when a count has stopped growing for one turn of the event loop, has reached `limit`, or after eight turns.
 * For work that costs the same for one as for many, such as a commit: while more keeps arriving, it waits for it.
 */
export const gather = (count: () => number, limit = Number.POSITIVE_INFINITY): Promise<void> =>
  new Promise((resolve) => {
    const look = (turn: number, before: number): void => {
      const now = count()
      if (turn > 0 && (now === before || now >= limit || turn >= turns)) resolve()
      else setImmediate(look, turn + 1, now)
    }
    look(0, 0)
  })
