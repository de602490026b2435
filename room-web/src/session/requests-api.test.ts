import { accessCopyDays, requestTextMax } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { copyDays, hasCopy, isOpenRequest, mostCharacters, type OwnRequest } from './requests-api.ts'
import { sessionIdIn } from './session-id.ts'

const request = (fields: Partial<OwnRequest>): OwnRequest => ({
  id: 'crr_1',
  kind: 'access',
  status: 'received',
  messages: [],
  createdAt: '2026-11-20T09:00:00.000Z',
  acknowledgedAt: null,
  decidedAt: null,
  accessCopyUntil: null,
  answerDueAt: null,
  moment: null,
  ...fields,
})

describe('a request', () => {
  it('is open until it is decided or read', () => {
    const statuses = ['received', 'acknowledged', 'approved', 'declined', 'completed'] as const
    expect(statuses.filter((status) => isOpenRequest(request({ status })))).toEqual(['received', 'acknowledged'])
  })

  it('has a copy from its approval until the day that was named', () => {
    const accessCopyUntil = '2026-12-20T09:00:00.000Z'
    const until = Date.parse(accessCopyUntil)
    const approved = request({ status: 'approved', accessCopyUntil })
    expect([hasCopy(approved, until - 1), hasCopy(approved, until)]).toEqual([true, false])
    expect(hasCopy(request({ status: 'approved' }), 0)).toBe(false)
    expect(hasCopy(request({ status: 'declined', accessCopyUntil }), 0)).toBe(false)
    expect(hasCopy(request({ kind: 'erasure', status: 'approved', accessCopyUntil }), 0)).toBe(false)
  })

  it('is said to have the limits that the service has', () => {
    expect([copyDays, mostCharacters]).toEqual([accessCopyDays, requestTextMax])
  })
})

describe('the number of an interview', () => {
  it.each([
    ['ses_01ABC', 'ses_01ABC'],
    ['  ses_01ABC\n', 'ses_01ABC'],
    ['https://service.example/requests/#ses_01ABC', 'ses_01ABC'],
    ['Number: ses_01ABC', 'ses_01ABC'],
    ['https://service.example/invitation/#ses_01ABC.ivt_secret', 'ses_01ABC'],
    ['', undefined],
    ['01ABC', undefined],
    ['org_01ABC', undefined],
    ['ses_', undefined],
    [`ses_${'x'.repeat(61)}`, undefined],
  ])('in %j is %s', (text, id) => {
    expect(sessionIdIn(text)).toBe(id)
  })
})
