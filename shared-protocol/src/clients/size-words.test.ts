import { expect, it } from 'vitest'
import { sizeWords } from './size-words.ts'

it('a size is said in the unit that fits, the way of the language', () => {
  const sizes = [0, 1, 999, 1000, 1_450_000, 123_456_789, 9_876_543_210, 12e12]
  expect(sizes.map((bytes) => sizeWords(bytes, 'en'))).toEqual([
    ...['0 bytes', '1 byte', '999 bytes', '1 kB', '1.5 MB', '123 MB', '9.9 GB', '12,000 GB'],
  ])
  expect(sizeWords(1_450_000, 'hi')).toMatch(/1\.5/)
})
