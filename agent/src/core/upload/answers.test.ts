import { IntegrityError } from '@integrity/client/errors'
import { failed, unreached } from '@integrity/client/test-support/failed'
import { describe, expect, it } from 'vitest'
import { readFailure } from './answers.ts'

const proxy = (status: number) => new IntegrityError({ code: 'not_the_service', status, message: 'a page' })

describe('a failed request', () => {
  it.each([
    ['no answer', unreached(), { kind: 'outage' }],
    ['no answer in time', new IntegrityError({ code: 'timeout', message: 'late' }), { kind: 'outage' }],
    ["a hotel's page", proxy(200), { kind: 'outage' }],
    ["a proxy's refusal", proxy(403), { kind: 'outage' }],
    ['a redirect to a sign-in', proxy(0), { kind: 'outage' }],
    ["a gateway's error", proxy(502), { kind: 'retry', serverError: true }],
    ['429 that does not say for how long', failed('too_many'), { kind: 'hold', waitMs: 60_000 }],
    ['429', failed('too_many', { retryAfterMs: 7000 }), { kind: 'hold', waitMs: 7000 }],
    ['503 that says when', failed('later', { retryAfterMs: 9000 }), { kind: 'hold', waitMs: 9000 }],
    ['503', failed('later'), { kind: 'retry', serverError: true }],
    ['408', failed('later', { status: 408 }), { kind: 'retry', serverError: true }],
    ['401', failed('unauthorized'), { kind: 'unauthorized' }],
    ['a conflict that passes', failed('conflict', { retryAfterMs: 1000 }), { kind: 'retry', waitMs: 1000 }],
    ['a conflict', failed('conflict'), { kind: 'refuse', shred: true }],
    ['403', failed('forbidden'), { kind: 'refuse', shred: true }],
    ['404', failed('not_found'), { kind: 'refuse', shred: false }],
    ['400', failed('refused'), { kind: 'refuse', shred: false }],
    ['a fault of our own', new Error('disk'), { kind: 'retry', serverError: false }],
  ] as const)('with %s asks for what keeps the item or gives it up', (_what, error, failure) => {
    expect(readFailure(error)).toMatchObject(failure)
  })
})
