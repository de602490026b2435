import type { CountAnswer, CountAsk, SharedCounts } from './shared-counts.types.ts'
import type { SharedLink } from './shared-link.ts'

interface Waiting {
  ask: CountAsk
  readonly answered: ((answer: CountAnswer) => void)[]
  readonly failed: ((error: unknown) => void)[]
}

/** Joins what is asked while an answer is under way: at any load there is one question of this process at a time. */
export const createAsking = (
  { counts, link }: { readonly counts: SharedCounts; readonly link: SharedLink },
  window: () => number,
) => {
  let waiting = new Map<string, Waiting>()
  let asking = false

  const run = async (): Promise<void> => {
    asking = true
    // What the same turn asks goes along.
    await Promise.resolve()
    while (waiting.size > 0) {
      const batch = [...waiting.values()]
      waiting = new Map()
      try {
        const answers = await link.ask(() =>
          counts.reserve(
            window(),
            batch.map(({ ask }) => ask),
          ),
        )
        for (const [index, { answered }] of batch.entries()) for (const tell of answered) tell(answers[index]!)
      } catch (error) {
        for (const { failed } of batch) for (const tell of failed) tell(error)
      }
    }
    asking = false
  }

  return (ask: CountAsk): Promise<CountAnswer> =>
    new Promise((resolve, reject) => {
      const known = waiting.get(ask.key)
      if (known)
        known.ask = { ...known.ask, cost: known.ask.cost + ask.cost, ahead: Math.max(known.ask.ahead, ask.ahead) }
      else waiting.set(ask.key, { ask, answered: [], failed: [] })
      const { answered, failed } = known ?? waiting.get(ask.key)!
      // The grant of joined asks is one: who asked first puts it down, the others look what is there.
      answered.push((answer) => resolve(known ? { ...answer, granted: 0 } : answer))
      failed.push(reject)
      if (!asking) void run()
    })
}
