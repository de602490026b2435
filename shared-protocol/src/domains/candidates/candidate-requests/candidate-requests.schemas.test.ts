import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import {
  decisionBody,
  declineRequestBody,
  linkBody,
  requestListQuery,
  requestStatuses,
  requestTextMax,
  submitBody,
  wishKinds,
} from './candidate-requests.schemas.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('a request of a candidate', () => {
  it('for access or erasure needs no words', () => {
    for (const kind of wishKinds) expect(takes(submitBody, { kind })).toBe(kind !== 'context_statement')
    expect(takes(submitBody, { kind: 'complaint' })).toBe(false)
  })

  it('that is a statement needs its words, and says where they are missing', () => {
    expect(takes(submitBody, { kind: 'context_statement', text: 'The door was open.' })).toBe(true)
    const { error } = submitBody.safeParse({ kind: 'context_statement' })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['text'])
  })

  it('holds as many characters as people need, and not only blanks', () => {
    expect(takes(submitBody, { kind: 'access', text: 'x'.repeat(requestTextMax) })).toBe(true)
    expect(takes(submitBody, { kind: 'access', text: 'x'.repeat(requestTextMax + 1) })).toBe(false)
    expect(takes(submitBody, { kind: 'access', text: ' \n ' })).toBe(false)
  })

  it('may say where to write to, which is an address', () => {
    expect(takes(submitBody, { kind: 'access', replyTo: 'a@b.example' })).toBe(true)
    for (const replyTo of ['a', 'a@', 'a b@c.example', 'a@b.example\nBcc: c@d.example'])
      expect(takes(submitBody, { kind: 'access', replyTo }), replyTo).toBe(false)
  })
})

describe('a decision', () => {
  it('may be said in words, and a refusal must be', () => {
    expect(takes(decisionBody, {})).toBe(true)
    expect(takes(declineRequestBody, {})).toBe(false)
    expect(takes(declineRequestBody, { text: 'We keep it for a lawsuit.' })).toBe(true)
  })
})

describe('the list of requests', () => {
  it('shows the open ones of the live environment unless asked for others', () => {
    expect(requestListQuery.parse({})).toEqual({ limit: 20, offset: 0, status: 'open', sort: 'newest' })
    for (const status of ['open', 'all', ...requestStatuses]) expect(takes(requestListQuery, { status })).toBe(true)
    expect(takes(requestListQuery, { status: 'closed' })).toBe(false)
  })
})

describe('the way to a link', () => {
  it('is the session and the invited address', () => {
    expect(takes(linkBody, { sessionId: 'ses_1', email: 'a@b.example' })).toBe(true)
    expect(takes(linkBody, { sessionId: '', email: 'a@b.example' })).toBe(false)
    expect(takes(linkBody, { sessionId: 'ses_1' })).toBe(false)
  })
})
