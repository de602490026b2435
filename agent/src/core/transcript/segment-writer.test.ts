import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { type Segment, SegmentWriter } from './segment-writer.ts'

const buildWriter = () => {
  const clock = new ManualClock()
  const put: Segment[] = []
  const store = {
    nextSequence: () => new Set(put.map(({ segmentId }) => segmentId)).size,
    put: (segment: Segment) => void put.push(segment),
  }
  return { clock, put, writer: new SegmentWriter({ speaker: 'candidate', language: 'en-US', store, clock }) }
}
const words = (text: string, final = false) => ({ startMs: 1000.4, endMs: 2000.6, text, final })

describe('segments', () => {
  it('keep their id and place from their first words until they are firm', () => {
    const { clock, put, writer } = buildWriter()
    writer.write(words('the'))
    clock.advance(2000)
    writer.write(words('the door'))
    writer.write({ ...words('the door is open', true), confidence: 0.8 })
    writer.write(words('and', true))
    const [first, second, third, next] = put
    expect(new Set([first, second, third].map((segment) => segment!.segmentId)).size).toBe(1)
    expect(first!.segmentId).toMatch(/^[0-9a-f-]{36}$/)
    expect(third).toMatchObject({
      sequence: 0,
      speaker: 'candidate',
      startMs: 1000,
      endMs: 2001,
      text: 'the door is open',
      language: 'en-US',
      final: true,
      confidence: 0.8,
    })
    expect(next).toMatchObject({ sequence: 1, text: 'and' })
    expect(next!.segmentId).not.toBe(first!.segmentId)
  })

  it('are told at most every two seconds while they are not firm, and at once when they are', () => {
    const { clock, put, writer } = buildWriter()
    for (let index = 0; index < 50; index += 1) {
      writer.write(words(`word ${index}`))
      clock.advance(100)
    }
    writer.write(words('words', true))
    expect(put.map(({ text }) => text)).toEqual(['word 0', 'word 20', 'word 40', 'words'])
  })

  it('are emptied when the engine takes back words that were told, and never made of words that were not', () => {
    const { put, writer } = buildWriter()
    writer.write(words('', true))
    writer.write(words('a'))
    writer.write(words('', true))
    expect(put.map(({ text, final }) => [text, final])).toEqual([
      ['a', false],
      ['', true],
    ])
  })

  it('stay as they were told when the engine is lost', () => {
    const { put, writer } = buildWriter()
    writer.write(words('half a'))
    writer.abandon()
    writer.write(words('new', true))
    expect(put.map(({ sequence, final }) => [sequence, final])).toEqual([
      [0, false],
      [1, true],
    ])
  })

  it('never begin before the session, nor end before they begin', () => {
    const { put, writer } = buildWriter()
    writer.write({ startMs: -300, endMs: -100, text: 'early', final: true })
    expect(put[0]).toMatchObject({ startMs: 0, endMs: 0 })
  })
})
