import { describe, expect, it } from 'vitest'
import type { SegmentPart } from './messages.ts'
import { SegmentAssembly } from './segments.ts'

const part = (segment: number, length: number, last: boolean, endedAt: number): SegmentPart => ({
  segment,
  length,
  startedAt: 1000 * (segment + 1),
  endedAt,
  last,
  energy: { squares: 2, peak: endedAt / 10_000, samples: 4 },
})
const handover = (parts: SegmentPart[]) => ({
  state: 'same' as const,
  at: 1,
  parts,
  energy: { squares: 0, peak: 0, samples: 0 },
})

describe('segments put together', () => {
  it('joins the parts of a file, also while the next one has begun', () => {
    const assembly = new SegmentAssembly()
    expect(assembly.take(handover([part(0, 2, false, 1500)]), Buffer.from('ab'))).toEqual([])
    const parts = [part(1, 1, false, 2100), part(0, 1, false, 2150), part(0, 0, true, 2160), part(1, 2, false, 2600)]
    const done = assembly.take(handover(parts), Buffer.from('Xcyz'))
    expect(done).toEqual([
      { bytes: Buffer.from('abc'), startedAt: 1000, endedAt: 2160, energy: { squares: 6, peak: 0.216, samples: 12 } },
    ])
    expect(assembly.flush().map(({ bytes, endedAt }) => [bytes.toString(), endedAt])).toEqual([['Xyz', 2600]])
  })

  it('joins what was measured of each tenth of a second', () => {
    const assembly = new SegmentAssembly()
    const measured = (last: boolean, ...tenths: number[]) => {
      const one = part(0, 1, last, 1500)
      return { ...one, energy: { ...one.energy, tenths } }
    }
    const parts = [measured(false, 0.1, 0.2), measured(true, 0.3)]
    expect(assembly.take(handover(parts), Buffer.from('ab'))[0]?.energy.tenths).toEqual([0.1, 0.2, 0.3])
  })

  it('gives what there is of a file that nothing completes, once, and nothing of an empty one', () => {
    const assembly = new SegmentAssembly()
    assembly.take(handover([part(0, 0, false, 1100), part(1, 3, false, 2500)]), Buffer.from('abc'))
    expect(assembly.flush().map(({ bytes }) => bytes.toString())).toEqual(['abc'])
    expect(assembly.flush()).toEqual([])
  })
})
