/** Work of several owners, a few at a time; each owner has its turn, however much another has waiting. */
export interface Turns {
  /** Throws what `refuse` makes where this owner, or all together, have too much waiting. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
}

export interface TurnOptions {
  readonly parallel: number
  /** Waiting works of one owner, and of all. */
  readonly waitingOfOwner: number
  readonly waiting: number
  readonly refuse: () => Error
}

export const createTurns = ({ parallel, waitingOfOwner, waiting, refuse }: TurnOptions): Turns => {
  /** In the order of their turns. */
  const queues = new Map<string, (() => void)[]>()
  let running = 0
  let queued = 0

  const next = (): void => {
    const [first] = queues
    if (!first || running >= parallel) return
    const [owner, queue] = first
    const begin = queue.shift()
    queues.delete(owner)
    if (queue.length > 0) queues.set(owner, queue)
    queued -= 1
    running += 1
    begin?.()
  }

  const admitted = (owner: string): Promise<void> => {
    const queue = queues.get(owner) ?? []
    if (queue.length >= waitingOfOwner || queued >= waiting) throw refuse()
    const { promise, resolve } = Promise.withResolvers<void>()
    queue.push(resolve)
    queues.set(owner, queue)
    queued += 1
    next()
    return promise
  }

  return {
    async run(owner, work) {
      await admitted(owner)
      try {
        return await work()
      } finally {
        running -= 1
        next()
      }
    },
  }
}
