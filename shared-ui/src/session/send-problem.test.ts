import { failed } from '@integrity/client/test-support/failed'
import { describe, expect, it } from 'vitest'
import { looksLikeEmail, sendProblemOf } from './send-problem.ts'

describe('why something was not sent', () => {
  it.each([
    ['later', 'notReached'],
    ['too_many', 'tooMany'],
    ['conflict', 'conflict'],
    ['refused', 'notAccepted'],
    ['not_found', 'notAccepted'],
    ['forbidden', 'notAccepted'],
  ] as const)('is for %s: %s', (problem, kind) => {
    expect(sendProblemOf(failed(problem))).toEqual({ kind, fields: [] })
  })

  it('names the fields at fault', () => {
    const problem = failed('refused', { details: [{ path: 'replyTo', message: 'is none' }] })
    expect(sendProblemOf(problem).fields).toEqual(['replyTo'])
  })

  it('hides no fault of the page', () => {
    expect(() => sendProblemOf(new TypeError('x'))).toThrow('x')
  })
})

describe('an address', () => {
  it.each(['a@b.example', '  a@b.example ', 'ü@bücher.example'])('%j looks like one', (text) => {
    expect(looksLikeEmail(text)).toBe(true)
  })
  it.each(['', 'a', 'a@b', 'a b@c.example', '@b.example', 'a@b@c.example'])('%j does not', (text) => {
    expect(looksLikeEmail(text)).toBe(false)
  })
})
