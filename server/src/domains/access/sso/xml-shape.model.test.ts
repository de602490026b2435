import { describe, expect, it } from 'vitest'
import { timesAsCostly } from '../../../platform/work-ratio.test-support.ts'
import { xmlExcess } from './xml-shape.model.ts'

describe('the shape of a document', () => {
  it('is bounded in elements, attributes and depth', () => {
    const of = (inner: string) => xmlExcess(`<?xml version="1.0"?><r>${inner}</r>`)
    expect(of('<a/>'.repeat(999))).toBeUndefined()
    expect(of('<a/>'.repeat(1000))).toBe('too_many_elements')
    expect(of('<a></a>'.repeat(1000))).toBe('too_many_elements')
    expect(of(`<a ${'x="" '.repeat(3000)}/>`)).toBeUndefined()
    expect(of(`<a ${"x='' ".repeat(3001)}/>`)).toBe('too_many_attributes')
    expect(of('<a>'.repeat(39) + '</a>'.repeat(39))).toBeUndefined()
    expect(of('<a>'.repeat(40) + '</a>'.repeat(40))).toBe('too_deep')
  })

  it('is not what stands in quotes or in text', () => {
    expect(xmlExcess(`<r a="${'<a>'.repeat(2000)}" b='>"'>it's "text" > ${"'".repeat(2001)}</r>`)).toBeUndefined()
    for (const broken of ['<', '<a', '<a b="', "<a b='>"]) expect(xmlExcess(broken)).toBe('not_xml')
  })

  it.each(['<a ', '<a x="', '<a/>', '<a>', '</a>', '<!', "<?'", '<a x="">'])(
    'costs by its length alone where it is %s without end',
    (piece) => {
      const of = (length: number) => piece.repeat(length / piece.length)
      const [whole, small] = [of(256_000), of(2560)]
      expect(
        timesAsCostly(
          () => xmlExcess(whole),
          () => xmlExcess(small),
          100,
        ),
      ).toBeLessThan(25)
    },
  )
})
