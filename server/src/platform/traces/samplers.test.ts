import { describe, expect, it } from 'vitest'
import { samplerNames } from './open-traces.ts'
import { drawOf } from './samplers.ts'

const ids = Array.from({ length: 4000 }, (_, n) =>
  [n, n * 7, n * 13, n * 977].map((part) => ((part * 2654435761) >>> 0).toString(16).padStart(8, '0')).join(''),
)
const told = (isSampled: boolean) => ({ traceId: '1', spanId: '1', isSampled })

describe('a sampler', () => {
  it.each(samplerNames)('%s does what its name says', (sampler) => {
    const draw = drawOf({ sampler, ratio: 0.25 })
    const share = (parent?: ReturnType<typeof told>) => ids.filter((id) => draw(id, parent)).length / ids.length
    const root = sampler.endsWith('on') ? 1 : sampler.endsWith('off') ? 0 : 0.25
    expect(share()).toBeCloseTo(root, 1)
    const follows = sampler.startsWith('parentbased_')
    expect(share(told(true))).toBeCloseTo(follows ? 1 : root, 1)
    expect(share(told(false))).toBeCloseTo(follows ? 0 : root, 1)
  })

  it('with a ratio says the same of one trace each time', () => {
    const draw = drawOf({ sampler: 'traceidratio', ratio: 0.5 })
    for (const id of ids) expect(draw(id, undefined)).toBe(draw(id, undefined))
  })
})
