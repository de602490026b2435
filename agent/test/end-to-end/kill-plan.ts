import type { Socket } from 'node:net'
import type { Traffic } from './tcp-proxy.ts'

/** What carries many bytes in one request: a part of a chunked upload, or a pack. */
export const carriers = ['part', 'pack'] as const
export type Carrier = (typeof carriers)[number]

/**
 * The instant of a kill, as work done since it was armed: so many items counted as captured, so many bytes sent, so many
 * bytes into a request that carries a part, or such a share of one that carries a pack; 1: it was sent whole, and its
 * answer is not there yet.
 */
export interface KillPlan {
  readonly after: 'items' | 'bytes' | Carrier
  readonly amount: number
}

const MiB = 1024 ** 2

/** `packs`: the share of kills that fall in a pack; of the others, two in seven each fall after items and bytes. */
export const nextPlan = (random: () => number, packs: number): KillPlan => {
  const among = (least: number, most: number): number => least + Math.floor(random() * (most - least))
  if (random() < packs) return { after: 'pack', amount: Math.min(1, random() * 1.3) }
  const kind = random() * 7
  if (kind < 2) return { after: 'items', amount: among(1, 8) }
  if (kind < 4) return { after: 'bytes', amount: among(1, MiB / 4) }
  return { after: 'part', amount: among(0, 4 * MiB) }
}

const requests: Readonly<Record<Carrier, RegExp>> = {
  part: /^POST \/v1\/uploads\/[^/ ]+\/parts/,
  pack: /^POST \/v1\/sessions\/[^/ ]+\/packs/,
}

interface Under {
  bytes: number
  /** With its head; unknown, none are ever all of them. */
  readonly total: number
}

/** Of a request of which this is the beginning. */
const totalOf = (beginning: Buffer): number => {
  const end = beginning.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(beginning.toString('latin1', 0, end))?.[1]
  return length === undefined ? Number.POSITIVE_INFINITY : end + 4 + Number(length)
}

/** Watches what the agent does and says when a plan's instant has come. */
export class KillWatch implements Traffic {
  #plan: KillPlan | undefined
  #reached = Promise.withResolvers<void>()
  #items = 0
  #bytes = 0
  /** Connections on which such a request is on its way and not answered, with the bytes so far. */
  readonly #under = { part: new Map<Socket, Under>(), pack: new Map<Socket, Under>() }

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
      if (requests[carrier].test(line)) under.set(client, { bytes: 0, total: totalOf(bytes) })
      const one = under.get(client)
      if (one === undefined) continue
      one.bytes += bytes.length
      this.#check(carrier, carrier === 'pack' ? one.bytes / one.total : one.bytes)
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
