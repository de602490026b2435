import type { Socket } from 'node:net'
import type { Traffic } from './tcp-proxy.ts'

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
  if (kind < 0.4) return { after: 'items', amount: among(1, 8) }
  if (kind < 0.7) return { after: 'bytes', amount: among(1, MiB / 4) }
  return { after: 'part', amount: among(0, 4 * MiB) }
}

const partRequest = /^POST \/v1\/uploads\/[^/ ]+\/parts/

/** Watches what the agent does and says when a plan's instant has come. */
export class KillWatch implements Traffic {
  #plan: KillPlan | undefined
  #reached = Promise.withResolvers<void>()
  #items = 0
  #bytes = 0
  /** Connections on which a part is on its way and not answered, with the bytes so far. */
  readonly #parts = new Map<Socket, number>()

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

  /** A part of a chunked upload is under way at this moment. */
  get insidePart(): boolean {
    return this.#parts.size > 0
  }

  captured(): void {
    this.#items += 1
    this.#check('items', this.#items)
  }

  sent(bytes: Buffer, client: Socket): void {
    this.#bytes += bytes.length
    this.#check('bytes', this.#bytes)
    // Requests are not pipelined, so each begins a chunk.
    if (partRequest.test(bytes.toString('latin1', 0, 100))) this.#parts.set(client, 0)
    const before = this.#parts.get(client)
    if (before === undefined) return
    this.#parts.set(client, before + bytes.length)
    this.#check('part', before + bytes.length)
  }

  answered(client: Socket): void {
    this.#parts.delete(client)
  }

  closed(client: Socket): void {
    this.#parts.delete(client)
  }

  #check(what: KillPlan['after'], amount: number): void {
    if (this.#plan?.after === what && amount >= this.#plan.amount) this.#reached.resolve()
  }
}
