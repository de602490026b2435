import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { splitFrames } from './frames.ts'
import { joinFrames } from './join-frames.ts'

interface Vectors {
  readonly frames: readonly {
    readonly name: string
    readonly items: readonly { readonly head: object; readonly bodyHex: string }[]
    readonly hex: string
  }[]
  readonly malformed: readonly { readonly name: string; readonly hex: string; readonly message: string }[]
}
const vectors = JSON.parse(readFileSync(new URL('../../vectors/pack-frames.json', import.meta.url), 'utf8')) as Vectors

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const limits = { frames: 64, headBytes: 32_768 }

describe.each(vectors.frames)('frames: $name', ({ items, hex }) => {
  const frames = items.map(({ head, bodyHex }) => ({ head, body: bytesOf(bodyHex) }))

  it('are written as the vectors have them', () => {
    expect(Buffer.from(joinFrames(frames)).toString('hex')).toBe(hex)
  })

  it('are read back', () => {
    const read = splitFrames(bytesOf(hex), limits)
    expect(read.map(({ head }) => JSON.parse(new TextDecoder().decode(head)) as object)).toEqual(
      items.map(({ head }) => head),
    )
    expect(read.map(({ body }) => Buffer.from(body).toString('hex'))).toEqual(items.map(({ bodyHex }) => bodyHex))
  })
})

describe('what is not frames to its last byte', () => {
  it.each(vectors.malformed)('is refused: $name', ({ hex, message }) => {
    expect(() => splitFrames(bytesOf(hex), limits)).toThrow(message)
  })

  it('is refused wherever it is cut', () => {
    const first = { head: { clientId: 'a' }, body: bytesOf('00ff') }
    const whole = joinFrames([first, { head: { clientId: 'b' }, body: bytesOf('01') }])
    const ends = new Set([0, joinFrames([first]).length, whole.length])
    for (let end = 0; end <= whole.length; end++) {
      const split = () => splitFrames(whole.subarray(0, end), limits)
      if (ends.has(end)) expect(split).not.toThrow()
      else expect(split, String(end)).toThrow(/cut/)
    }
  })

  it('is refused beyond the number of frames and the length of a head', () => {
    const one = { head: {}, body: new Uint8Array() }
    expect(splitFrames(joinFrames(Array.from({ length: 64 }, () => one)), limits)).toHaveLength(64)
    expect(() => splitFrames(joinFrames(Array.from({ length: 65 }, () => one)), limits)).toThrow('more than 64 frames')
    const long = { head: { text: 'x'.repeat(32_768) }, body: new Uint8Array() }
    expect(() => splitFrames(joinFrames([long]), limits)).toThrow('larger than 32768 bytes')
  })
})
