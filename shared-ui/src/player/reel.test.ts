import { joinFrames } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { BrokenReel, FrameReader } from './frame-reader.ts'
import { type ReelItem, readReel } from './reel.ts'

const head = (id: string) => ({ id, atMs: 5, durationMs: null, contentType: 'image/webp', sha256: 'ab' })
const none = new Uint8Array(0)
const whole = joinFrames([
  { head: head('evd_1'), body: new Uint8Array([1, 2, 3]) },
  { head: { ...head('evd_2'), absent: 'erased' }, body: none },
  { head: { nextMs: 60_000 }, body: none },
])

const streamOf = (...pieces: Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

const readOf = async (...pieces: Uint8Array<ArrayBuffer>[]) => {
  const items: ReelItem[] = []
  const next = await readReel(streamOf(...pieces), (item) => items.push(item))
  return { items, next }
}

describe('a reel', () => {
  it('is read whole, and says where the next one begins', async () => {
    const { items, next } = await readOf(whole)
    expect(next).toBe(60_000)
    expect(items.map(({ id, absent, bytes }) => [id, absent, [...bytes]])).toEqual([
      ['evd_1', undefined, [1, 2, 3]],
      ['evd_2', 'erased', []],
    ])
  })

  it('is the same however it is cut on its way', async () => {
    for (let size = 1; size < 40; size += 1) {
      const pieces: Uint8Array<ArrayBuffer>[] = []
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size))
      expect(await readOf(...pieces)).toEqual(await readOf(whole))
    }
  })

  it('that breaks off is none, wherever it does', async () => {
    for (let length = 0; length < whole.length; length += 1)
      await expect(readOf(whole.slice(0, length))).rejects.toThrow(BrokenReel)
  })

  it('with nothing more to come says so', async () => {
    expect((await readOf(joinFrames([{ head: { nextMs: null }, body: none }]))).next).toBeNull()
  })

  it('of another kind is refused', async () => {
    await expect(readOf(joinFrames([{ head: { id: 3 }, body: none }]))).rejects.toThrow('does not say what it is')
    await expect(readOf(new TextEncoder().encode('<!doctype html><html>'))).rejects.toThrow(BrokenReel)
    const behind = joinFrames([
      { head: { nextMs: null }, body: none },
      { head: head('evd_1'), body: none },
    ])
    await expect(readOf(behind)).rejects.toThrow('follows the last one')
  })

  it('hands on an item before the next one has come', () => {
    const frames = new FrameReader()
    const cut = 4 + JSON.stringify(head('evd_1')).length + 4 + 3
    expect(frames.push(whole.slice(0, cut - 1))).toEqual([])
    expect(frames.push(whole.slice(cut - 1, cut)).map(({ head: { id } }) => id)).toEqual(['evd_1'])
    expect(() => frames.end()).not.toThrow()
  })
})
