/** Runs work one after the other for each key; what one does, the next one sees. */
export interface KeyedQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export const createKeyedQueue = (): KeyedQueue => {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = last.get(key) ?? Promise.resolve()
      const mine = before.then(work, work)
      last.set(key, mine)
      try {
        return await mine
      } finally {
        if (last.get(key) === mine) last.delete(key)
      }
    },
  }
}
