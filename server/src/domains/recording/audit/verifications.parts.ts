import type { ChainReport } from '../../../kernel/audit/audit.verify.types.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    readonly verifications: Verifications
  }
}

/**
 * Walks through whole chains. However many ask at once, one walk of an organisation is under way, and one more waits that
 * all share who asked since it began.
 */
export class Verifications {
  readonly #running = new Map<string, Promise<ChainReport>>()
  readonly #next = new Map<string, Promise<ChainReport>>()

  run(orgId: string, verify: () => Promise<ChainReport>): Promise<ChainReport> {
    const waiting = this.#next.get(orgId)
    if (waiting) return waiting
    const before = this.#running.get(orgId)
    if (!before) return this.#start(orgId, verify)
    const begin = () => {
      this.#next.delete(orgId)
      return this.#start(orgId, verify)
    }
    const next = before.then(begin, begin)
    this.#next.set(orgId, next)
    return next
  }

  #start(orgId: string, verify: () => Promise<ChainReport>): Promise<ChainReport> {
    const run = verify().finally(() => this.#running.delete(orgId))
    this.#running.set(orgId, run)
    return run
  }
}
