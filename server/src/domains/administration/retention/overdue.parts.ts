import type { Needs } from '../../../kernel/call.ts'
import { overdueObjects } from './overdue.service.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    readonly overdueEvidence: OverdueEvidence
  }
}

/** How many objects should be gone, as a look at every organisation found it: made again after a while only. */
export interface OverdueEvidence {
  /** Looks, where the last look is too old. */
  count(): Promise<number>
  /** What the last look found, without waiting; undefined before the first has ended. Begins a look where one is due. */
  readonly lastCount: number | undefined
}

const everyMs = 10 * 60_000

export const createOverdueEvidence = (call: Needs<'clock' | 'config' | 'reader'>): OverdueEvidence => {
  let last: { readonly at: number; readonly value: number } | undefined
  let looking: Promise<number> | undefined
  const look = async (): Promise<number> => {
    try {
      const value = await overdueObjects(call)
      last = { value, at: performance.now() }
      return value
    } finally {
      looking = undefined
    }
  }
  const count = async (): Promise<number> => {
    if (last !== undefined && performance.now() - last.at <= everyMs) return last.value
    looking ??= look()
    return looking
  }
  return {
    count,
    get lastCount() {
      // Whoever asks whether the process is ready does not wait for it, nor for its failure.
      void count().catch(() => undefined)
      return last?.value
    },
  }
}
