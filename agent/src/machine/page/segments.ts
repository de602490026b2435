import type { Energy, Handover } from './messages.ts'

/** A whole file that was recorded: page times in ms. */
export interface Segment {
  bytes: Buffer
  startedAt: number
  endedAt: number
  energy: Energy
}

interface Open {
  parts: Buffer[]
  startedAt: number
  endedAt: number
  energy: Energy
}

const noEnergy = (): Energy => ({ squares: 0, peak: 0, samples: 0 })

const add = (a: Energy, b: Energy): Energy => ({
  squares: a.squares + b.squares,
  peak: Math.max(a.peak, b.peak),
  samples: a.samples + b.samples,
  ...((a.tenths || b.tenths) && { tenths: [...(a.tenths ?? []), ...(b.tenths ?? [])] }),
})

/**
 * Puts handed-over parts together again. The parts are kept here and not in the page, so that a page that crashes
 * takes no more with it than what it had not handed over.
 */
export class SegmentAssembly {
  readonly #open = new Map<number, Open>()

  /** Takes parts in order; gives the segments that they complete. */
  take({ parts }: Handover, bytes: Buffer): Segment[] {
    const done: Segment[] = []
    let at = 0
    for (const part of parts) {
      const { segment, length, startedAt, endedAt, energy } = part
      const open = this.#open.get(segment) ?? { parts: [], startedAt, endedAt, energy: noEnergy() }
      // A copy: a slice would hold the whole message in memory until the segment is complete.
      open.parts.push(Buffer.from(bytes.subarray(at, at + length)))
      open.endedAt = endedAt
      open.energy = add(open.energy, energy)
      at += length
      if (part.last) {
        this.#open.delete(segment)
        done.push(...whole(open))
      } else this.#open.set(segment, open)
    }
    return done
  }

  /** What there is of the segments that nothing will complete: each can still be played up to there. */
  flush(): Segment[] {
    const cut = [...this.#open.entries()].toSorted(([a], [b]) => a - b).flatMap(([, open]) => whole(open))
    this.#open.clear()
    return cut
  }
}

const whole = ({ parts, startedAt, endedAt, energy }: Open): Segment[] => {
  const bytes = Buffer.concat(parts)
  return bytes.length === 0 ? [] : [{ bytes, startedAt, endedAt: Math.max(startedAt, endedAt), energy }]
}
