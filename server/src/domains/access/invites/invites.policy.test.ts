import { describe, expect, it } from 'vitest'
import { linkStatusOf, statusOf } from './invites.policy.ts'
import type { InviteLink, InviteRow } from './invites.types.ts'

const invite = { state: 'open', expiresAt: 100 } as InviteRow
const link = { replacedAt: null } as InviteLink

describe('the status of an invite', () => {
  it('is pending until the very instant of its end', () => {
    expect([99, 100].map((now) => statusOf(invite, now))).toEqual(['pending', 'expired'])
  })

  it('is what became of it, whatever its time', () => {
    for (const state of ['accepted', 'revoked', 'expired'] as const)
      expect(statusOf({ ...invite, state }, 1)).toBe(state)
  })

  it('of a link that another took the place of is replaced, unless the invite was accepted or revoked', () => {
    const replaced = { ...link, replacedAt: 5 }
    expect(linkStatusOf(invite, link, 1)).toBe('pending')
    expect(linkStatusOf(invite, replaced, 1)).toBe('replaced')
    expect(linkStatusOf(invite, replaced, 100)).toBe('replaced')
    expect(linkStatusOf({ ...invite, state: 'accepted' }, replaced, 1)).toBe('accepted')
    expect(linkStatusOf({ ...invite, state: 'revoked' }, replaced, 1)).toBe('revoked')
  })
})
