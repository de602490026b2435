import { describe, expect, it } from 'vitest'
import { EventGapError, IntegrityError } from '../../client/src/errors.ts'
import { failed, unreached } from '../../client/src/test-support/failed.ts'

const from = (status: number, retryAfterMs?: number) =>
  new IntegrityError({ code: 'internal_error', message: 'no', status, retryAfterMs })

describe('a failure', () => {
  it.each([
    [400, 'refused'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [408, 'later'],
    [409, 'conflict'],
    [410, 'refused'],
    [413, 'refused'],
    [415, 'refused'],
    [422, 'refused'],
    [429, 'too_many'],
    [500, 'later'],
    [502, 'later'],
    [503, 'later'],
  ] as const)('of status %i is %s', (status, kind) => {
    expect(from(status).kind).toBe(kind)
    expect(from(status).isPassing).toBe(kind === 'later' || kind === 'too_many')
  })

  it('of a conflict that says when to come back passes', () => {
    expect(from(409, 1000)).toMatchObject({ kind: 'later', isPassing: true })
    expect(from(403, 1000)).toMatchObject({ kind: 'forbidden', isPassing: false })
  })

  it('is no answer of the service when nobody, or somebody else, answered', () => {
    const page = new IntegrityError({ code: 'not_the_service', status: 403, message: 'a page' })
    expect(page).toMatchObject({ isAnswer: false, isUnanswered: false, kind: 'later' })
    expect(unreached()).toMatchObject({ isAnswer: false, isUnanswered: true, kind: 'later', status: 0 })
    const late = new IntegrityError({ code: 'timeout', message: 'late' })
    expect(late).toMatchObject({ isAnswer: false, isUnanswered: true, kind: 'later' })
    expect(failed('conflict')).toMatchObject({ isAnswer: true, isUnanswered: false })
  })

  it('that is no request is not tried again', () => {
    const gap = new EventGapError({ requested: 'evt_1', oldest: null, recovered: 0, complete: false })
    expect(gap).toMatchObject({ name: 'EventGapError', code: 'event_gap', isPassing: false })
    expect(gap).toBeInstanceOf(IntegrityError)
  })
})
