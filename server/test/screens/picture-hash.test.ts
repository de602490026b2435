import sharp from 'sharp'
import { expect, it } from 'vitest'
import { differsAt, pictureHash } from './picture-hash.ts'

/** A page with a heading, a button and a clock. */
const page = ({ words = 'Connect this phone', button = '#1d4f91', height = 480, x = 20 } = {}) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="${height}"><rect width="400" height="${height}" fill="#fff"/>
      <text x="${x}" y="60" font-size="28" font-weight="700">${words}</text>
      <rect x="20" y="140" width="160" height="44" rx="8" fill="${button}"/></svg>`),
  )
    .png()
    .toBuffer()

const hashOf = async (options?: Parameters<typeof page>[0]) => pictureHash(await page(options))

it('is the same of the same picture, and short', async () => {
  const [one, again] = [await hashOf(), await hashOf()]
  expect(again).toBe(one)
  expect(differsAt(one, again)).toBeUndefined()
  expect(one.length).toBeLessThan(120)
})

it('allows an edge that is smoothed otherwise', async () => {
  const soft = await sharp(await page())
    .blur(0.6)
    .png()
    .toBuffer()
  expect(differsAt(await hashOf(), await pictureHash(soft))).toBeUndefined()
})

it.each([
  ['words', { words: 'Verbinde dieses Telefon' }, 0],
  ['colour', { button: '#f2c14e' }, 128],
  ['height', { height: 560 }, 0],
])('says where a picture with another %s differs', async (_what, changed, at) => {
  expect(differsAt(await hashOf(), await hashOf(changed))).toBe(at)
})
