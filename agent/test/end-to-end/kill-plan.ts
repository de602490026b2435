import type { Socket } from 'node:net'

/** A small generator with a seed (mulberry32), so that a run can be repeated. Gives 0 to below 1. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * The instant of a kill, as work done since it was armed: so many items counted as captured, so many bytes sent, or
 * so many bytes into a request that carries a part of a chunked upload.
 */
export interface KillPlan {
  readonly after: 'items' | 'bytes' | 'part'
  readonly amount: number
}

const MiB = 1024 ** 2

export const nextPlan = (random: () => number): KillPlan => {
  const among = (least: number, most: number): number => least + Math.floor(random() * (most - least))
  const kind = random()
  if (kind < 0.4) return { after: 'items', amount: among(1, 12) }
  if (kind < 0.7) return { after: 'bytes', amount: among(1, MiB / 2) }
  return { after: 'part', amount: among(0, 4 * MiB) }
}

const partRequest = /^POST \/v1\/uploads\/[^/ ]+\/parts/

/** Watches what the agent does and says when a plan's instant has come. */
export class KillWatch {
  #plan: KillPlan | undefined
  #reached = Promise.withResolvers<void>()
  #items = 0
  #bytes = 0
  #part: { client: Socket; bytes: number } | undefined

  /** Resolves at the instant, with true, or when it has not come after `patienceMs`, with false. */
  async until(plan: KillPlan, patienceMs: number): Promise<boolean> {
    this.#plan = plan
    this.#items = 0
    this.#bytes = 0
    this.#part = undefined
    this.#reached = Promise.withResolvers<void>()
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs)
    })
    try {
      return await Promise.race([this.#reached.promise.then(() => true), patience])
    } finally {
      clearTimeout(timer)
      this.#plan = undefined
    }
  }

  captured(): void {
    this.#items += 1
    this.#check('items', this.#items)
  }

  /** For the proxy: bytes of a client on their way to the server. Requests are not pipelined, so each begins a chunk. */
  readonly sent = (bytes: Buffer, client: Socket): void => {
    this.#bytes += bytes.length
    this.#check('bytes', this.#bytes)
    if (partRequest.test(bytes.toString('latin1', 0, 100))) this.#part = { client, bytes: 0 }
    if (this.#part?.client !== client) return
    this.#part.bytes += bytes.length
    this.#check('part', this.#part.bytes)
  }

  #check(what: KillPlan['after'], amount: number): void {
    if (this.#plan?.after === what && amount >= this.#plan.amount) this.#reached.resolve()
  }
}
