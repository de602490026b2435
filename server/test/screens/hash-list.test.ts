import { expect, it } from 'vitest'
import { readHashes, replaceHashes, stalePictures, writeHashes } from './hash-list.ts'

const white = '390 ffff00000000.ffff00000000'
const dark = '390 ffff00000000.3fff00000000'

it('is read as it was written, in the order of names', () => {
  const list = new Map([
    ['room-a', white],
    ['phone-b', dark],
  ])
  expect(writeHashes(list)).toBe(`phone-b ${dark}\nroom-a ${white}\n`)
  expect(readHashes(writeHashes(list))).toEqual(new Map([...list].reverse()))
})

it('names what looks different and where, what is new and what is gone, of the shoots that were taken alone', () => {
  const list = new Map([
    ['phone-a', white],
    ['phone-b', white],
    ['phone-c', white],
  ])
  const taken = new Map([
    ['phone-a', white],
    ['phone-b', dark],
    ['phone-d', white],
  ])
  expect(stalePictures(list, taken, ['phone'])).toEqual([
    'phone-b: it looks different 64 pixels from the top',
    'phone-c: it was not taken any more',
    'phone-d: it is new',
  ])
  expect(stalePictures(new Map([['room-a', white]]), new Map(), ['phone'])).toEqual([])
})

it('keeps the lines of shoots that were not taken', () => {
  const list = new Map([
    ['phone-old', white],
    ['room-a', white],
  ])
  expect([...replaceHashes(list, new Map([['phone-new', dark]]), ['phone']).keys()]).toEqual(['room-a', 'phone-new'])
})
