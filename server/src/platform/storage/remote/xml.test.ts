import { describe, expect, it } from 'vitest'
import { timesAsCostly } from '../../work-ratio.test-support.ts'
import { elementsOf, textOfFirst, textsOf } from './xml.ts'

describe("a provider's answer", () => {
  const uploads =
    '<L><Upload a="1">\n<Key>a&amp;b</Key></Upload><Uploads/><Upload><Key>&#x41;</Key></Upload><Upload/></L>'

  it('gives the elements of a name and their texts', () => {
    expect(elementsOf(uploads, 'Upload')).toEqual(['\n<Key>a&amp;b</Key>', '<Key>&#x41;</Key>', ''])
    expect(textsOf(uploads, 'Key')).toEqual(['a&b', 'A'])
    expect(textOfFirst(uploads, 'Key')).toBe('a&b')
    expect(textOfFirst(uploads, 'Upload')).toBeUndefined()
    expect(textOfFirst(uploads, 'Other')).toBeUndefined()
  })

  it('has no element of a name that only begins like it, or that has no end', () => {
    expect(elementsOf('<Blobs><Blob2>x</Blob2></Blobs>', 'Blob')).toEqual([])
    for (const broken of ['<Blob', '<Blob>', '<Blob x', '<Blob>a</Blob', '</Blob>'])
      expect(elementsOf(broken, 'Blob')).toEqual([])
  })

  it('is refused where it lists more than any', () => {
    expect(elementsOf('<Key>a</Key>'.repeat(2000), 'Key')).toHaveLength(2000)
    expect(() => elementsOf('<Key>a</Key>'.repeat(2001), 'Key')).toThrow('lists more than it was asked for')
  })

  const hostile = ['<Blob>', '<Blob ', '<Blob', '<Blobs>', '<Blob/', '<Blob>a</Blo', '</Blob', '&#;', '<Blob><Blob ']
  it.each(hostile)('costs by its length alone where it is %s without end', (piece) => {
    const of = (length: number) => `<Blobs>${piece.repeat(Math.ceil(length / piece.length))}`
    const [whole, small] = [of(1_500_000), of(15_000)]
    for (const read of [elementsOf, textsOf, textOfFirst])
      expect(
        timesAsCostly(
          () => read(whole, 'Blob'),
          () => read(small, 'Blob'),
          100,
        ),
        read.name,
      ).toBeLessThan(25)
  })
})
