import { gather } from './gather.ts'

export interface TogetherOptions<Call, Result> {
  /**
   * Writes all calls at once and says for each, in their order, what came of it. `undefined` in the place of one, or
   * instead of all: nothing was written of it, it is to be tried alone. When it throws, that is every caller's answer.
   */
  readonly write: (calls: readonly Call[]) => Promise<readonly (PromiseSettledResult<Result> | undefined)[] | undefined>
  readonly alone: (call: Call) => Promise<Result>
  /** A group holds at most so many calls. */
  readonly limit: number
  /** So many full groups of a key are on their way at once; one that is not full waits until none is. */
  readonly atOnce: number
}

interface Waiting<Call, Result> {
  readonly call: Call
  /** Calls of the same subject are never in one group: the later one is to find what the earlier one has written. */
  readonly subject: string
  readonly resolve: (result: Result | PromiseLike<Result>) => void
  readonly reject: (error: unknown) => void
}

interface Line<Call, Result> {
  waiting: Waiting<Call, Result>[]
  /** Groups on their way. */
  running: number
  gathering: boolean
}

/**
 * Writes calls of one `key` that wait at the same time as groups. What comes while a group is on its way, or in the same
 * turns of the event loop, is the next one: many calls share what a group costs.
 */
export class Together<Call, Result> {
  readonly #options: TogetherOptions<Call, Result>
  readonly #lines = new Map<string, Line<Call, Result>>()

  constructor(options: TogetherOptions<Call, Result>) {
    this.#options = options
  }

  add(key: string, subject: string, call: Call): Promise<Result> {
    let line = this.#lines.get(key)
    if (line === undefined) {
      line = { waiting: [], running: 0, gathering: false }
      this.#lines.set(key, line)
    }
    const { waiting } = line
    const result = new Promise<Result>((resolve, reject) => waiting.push({ call, subject, resolve, reject }))
    this.#start(key, line)
    return result
  }

  #start(key: string, line: Line<Call, Result>): void {
    const { limit, atOnce } = this.#options
    while (line.waiting.length >= limit && line.running < atOnce) this.#startGroup(key, line)
    if (line.running > 0 || line.gathering) return
    if (line.waiting.length === 0) {
      this.#lines.delete(key)
      return
    }
    line.gathering = true
    void gather(() => line.waiting.length, limit).then(() => {
      line.gathering = false
      if (line.running === 0 && line.waiting.length > 0) this.#startGroup(key, line)
      else this.#start(key, line)
    })
  }

  #startGroup(key: string, line: Line<Call, Result>): void {
    line.running += 1
    void this.#writeGroup(this.#takeGroup(line)).then(() => {
      line.running -= 1
      this.#start(key, line)
    })
  }

  /** Removes the first calls of different subjects from the line; the others keep their order. */
  #takeGroup(line: Line<Call, Result>): Waiting<Call, Result>[] {
    const group = new Map<string, Waiting<Call, Result>>()
    const rest: Waiting<Call, Result>[] = []
    for (const waiting of line.waiting) {
      if (group.size < this.#options.limit && !group.has(waiting.subject)) group.set(waiting.subject, waiting)
      else rest.push(waiting)
    }
    line.waiting = rest
    return [...group.values()]
  }

  /** Never rejects. What is tried alone does not hold up the line. */
  async #writeGroup(group: readonly Waiting<Call, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#options.write(group.map(({ call }) => call))
      for (const [index, { call, resolve, reject }] of group.entries()) {
        const outcome = outcomes?.[index]
        if (outcome === undefined) resolve(this.#options.alone(call))
        else if (outcome.status === 'fulfilled') resolve(outcome.value)
        else reject(outcome.reason)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}
