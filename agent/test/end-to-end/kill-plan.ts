import type { Socket } from 'node:net'
import type { Traffic } from './tcp-proxy.ts'

/** What carries many bytes in one request: a part of a chunked upload, or a pack. */
export const carriers = ['part', 'pack'] as const
export type Carrier = (typeof carriers)[number]

/**
 * The instant of a kill, as work done since it was armed: so many items counted as captured, so many bytes sent, or
 * so many bytes into a request that carries a part or a pack.
 */
export interface KillPlan {
  readonly after: 'items' | 'bytes' | Carrier
  readonly amount: number
}

const MiB = 1024 ** 2

export const nextPlan = (random: () => number): KillPlan => {
  const among = (least: number, most: number): number => least + Math.floor(random() * (most - least))
  const kind = random()
  if (kind < 0.2) return { after: 'items', amount: among(1, 8) }
  if (kind < 0.4) return { after: 'bytes', amount: among(1, MiB / 4) }
  if (kind < 0.7) return { after: 'pack', amount: among(0, MiB) }
  return { after: 'part', amount: among(0, 4 * MiB) }
}

const requests: Readonly<Record<Carrier, RegExp>> = {
  part: /^POST \/v1\/uploads\/[^/ ]+\/parts/,
  pack: /^POST \/v1\/sessions\/[^/ ]+\/packs/,
}

/** Watches what the agent does and says when a plan's instant has come. */
export class KillWatch implements Traffic {
  #plan: KillPlan | undefined
  #reached = Promise.withResolvers<void>()
  #items = 0
  #bytes = 0
  /** Connections on which such a request is on its way and not answered, with the bytes so far. */
  readonly #under = { part: new Map<Socket, number>(), pack: new Map<Socket, number>() }

  /** Resolves at the instant, or after `patienceMs` when it has not come by then. */
  async until(plan: KillPlan, patienceMs: number): Promise<void> {
    this.#plan = plan
    this.#items = 0
    this.#bytes = 0
    this.#reached = Promise.withResolvers<void>()
    const patience = setTimeout(() => this.#reached.resolve(), patienceMs)
    await this.#reached.promise
    clearTimeout(patience)
    this.#plan = undefined
  }

  /** Such a request is under way at this moment. */
  isInside(carrier: Carrier): boolean {
    return this.#under[carrier].size > 0
  }

  captured(): void {
    this.#items += 1
    this.#check('items', this.#items)
  }

  sent(bytes: Buffer, client: Socket): void {
    this.#bytes += bytes.length
    this.#check('bytes', this.#bytes)
    // Requests are not pipelined, so each begins a chunk.
    const line = bytes.toString('latin1', 0, 100)
    for (const carrier of carriers) {
      const under = this.#under[carrier]
      if (requests[carrier].test(line)) under.set(client, 0)
      const before = under.get(client)
      if (before === undefined) continue
      under.set(client, before + bytes.length)
      this.#check(carrier, before + bytes.length)
    }
  }

  answered(client: Socket): void {
    for (const carrier of carriers) this.#under[carrier].delete(client)
  }

  closed(client: Socket): void {
    this.answered(client)
  }

  #check(what: KillPlan['after'], amount: number): void {
    if (this.#plan?.after === what && amount >= this.#plan.amount) this.#reached.resolve()
  }
}
