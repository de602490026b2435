import { describe, expect, it } from 'vitest'
import { integrityEventBatch, integrityEventInput, maxEventsPerBatch } from './integrity-events.schemas.ts'

const event = {
  clientId: 'event-0001',
  kind: 'display.added',
  observedAt: '2026-03-02T10:00:00.000Z',
  source: 'displays',
}
const takes = (value: unknown) => integrityEventInput.safeParse(value).success

describe('an event from the wire', () => {
  it('has free data, which is empty where it says none', () => {
    expect(integrityEventInput.parse(event)).toEqual({ ...event, data: {} })
    expect(integrityEventInput.parse({ ...event, data: { a: [1] } }).data).toEqual({ a: [1] })
  })

  it('may be of a kind that nobody here knows, in dotted lower-case words', () => {
    for (const kind of ['something.new_1', 'x', 'a.b.c']) expect(takes({ ...event, kind }), kind).toBe(true)
    for (const kind of ['', 'Display.added', 'a..b', '.a', 'a.', 'a b', 'x'.repeat(65), 'a.b\n'])
      expect(takes({ ...event, kind }), JSON.stringify(kind)).toBe(false)
  })

  it('was seen by somebody, at an instant, on a clock that does not run backwards', () => {
    expect(takes({ ...event, monotonicMs: 0 })).toBe(true)
    expect(takes({ ...event, monotonicMs: -1 })).toBe(false)
    expect(takes({ ...event, source: '' })).toBe(false)
    expect(takes({ ...event, observedAt: 'now' })).toBe(false)
  })

  it('is refused when its data is larger than a row may be', () => {
    expect(takes({ ...event, data: { text: 'x'.repeat(8_000) } })).toBe(true)
    expect(takes({ ...event, data: { text: 'x'.repeat(9_000) } })).toBe(false)
  })
})

describe('a batch', () => {
  it('holds at least one event and no more than the ceiling, and names the one at fault', () => {
    const events = (count: number) => ({ events: Array.from({ length: count }, () => event) })
    expect(integrityEventBatch.safeParse(events(maxEventsPerBatch)).success).toBe(true)
    for (const count of [0, maxEventsPerBatch + 1])
      expect(integrityEventBatch.safeParse(events(count)).success).toBe(false)
    const { error } = integrityEventBatch.safeParse({ events: [event, { ...event, kind: 'Not A Kind' }] })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['events.1.kind'])
  })
})
