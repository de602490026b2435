import { describe, expect, it } from 'vitest'
import { linkExpiresAt, statusOf } from './invitations.policy.ts'

const day = 86_400_000
const open = { declinedAt: null, revokedAt: null, expiresAt: 1000 }

describe('the status of an invitation', () => {
  it('follows from its times', () => {
    expect(statusOf(open, 999)).toBe('live')
    expect(statusOf(open, 1000)).toBe('expired')
    expect(statusOf({ ...open, revokedAt: 5 }, 999)).toBe('revoked')
    expect(statusOf({ ...open, revokedAt: 5 }, 1000)).toBe('revoked')
    expect(statusOf({ ...open, declinedAt: 5 }, 1000)).toBe('declined')
  })
})

describe('how long a link works', () => {
  const at = (startsAt: string) => ({ startsAt, durationMinutes: 60, timeZone: 'UTC' })

  it('is a week without an appointment, and until a day after one began', () => {
    expect(linkExpiresAt(null, 5)).toBe(5 + 7 * day)
    expect(linkExpiresAt(at('2026-09-05T10:00:00.000Z'), 5)).toBe(Date.parse('2026-09-06T10:00:00Z'))
  })

  it('never leaves the years that an instant can say', () => {
    const expiresAt = linkExpiresAt(at('9999-12-31T23:00:00.000Z'), 5)
    expect(new Date(expiresAt).toISOString()).toBe('9999-12-31T23:59:59.999Z')
  })
})
