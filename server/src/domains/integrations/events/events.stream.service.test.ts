import { ServiceError } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { createIds } from '../../../platform/ids.ts'
import { eventFrame, readLastEventId } from './events.stream.service.ts'

const id = createIds(() => Date.parse('2026-09-04T10:00:00Z'))('evt')
const other = createIds(() => Date.parse('2026-09-04T11:00:00Z'))('evt')

describe('the id that a stream resumes after', () => {
  it('comes from the header before the query', () => {
    expect(readLastEventId(id, other)).toBe(id)
    expect(readLastEventId(undefined, other)).toBe(other)
  })

  it('is none when nothing or nothing but emptiness is given', () => {
    expect(readLastEventId(undefined, undefined)).toBeUndefined()
    expect(readLastEventId('', undefined)).toBeUndefined()
    expect(readLastEventId('', '')).toBeUndefined()
  })

  it('is refused when it cannot be the id of an event, naming where it stood', () => {
    const failure = (header: string | undefined, query: string | undefined) => {
      try {
        readLastEventId(header, query)
      } catch (error) {
        return error instanceof ServiceError ? error.details[0]?.path : error
      }
      return undefined
    }
    expect(failure('7', undefined)).toBe('Last-Event-ID')
    expect(failure(undefined, 'ses_01')).toBe('lastEventId')
    expect(failure(`${id}x`, undefined)).toBe('Last-Event-ID')
  })
})

describe('the frame of an event', () => {
  it('is id, event and the envelope as one line of data', () => {
    const bytes = eventFrame({ seq: 1, id, type: 'session.ended', envelope: '{"id":"x"}' })
    expect(bytes.toString()).toBe(`id: ${id}\nevent: session.ended\ndata: {"id":"x"}\n\n`)
  })
})
