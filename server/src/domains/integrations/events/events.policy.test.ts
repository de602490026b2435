import { builtInRoles, eventTypes, permissions } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { typesFor } from './events.policy.ts'

const all = Object.keys(permissions) as (keyof typeof permissions)[]
const without = (left: (typeof all)[number]) => all.filter((name) => name !== left)

describe('the events that a member sees', () => {
  it('are all for whoever may see everything, and no filter is asked of the log then', () => {
    expect(typesFor(all, undefined)).toBeUndefined()
  })

  it.each([
    ['evidence.list', ['evidence.ready']],
    ['report.view', ['report.finalized', 'report.stale']],
    ['audit.view', ['audit.checkpoint']],
    ['webhook.manage', ['webhook.test']],
  ] as const)('without %s are all but %j, and each of those is refused when it is asked for', (left, hidden) => {
    const seen = eventTypes.filter((type) => !hidden.some((other) => other === type))
    expect(typesFor(without(left), undefined)).toEqual(seen)
    for (const type of hidden) {
      const refused = `events of ${type} need the permission ${left}`
      expect(() => typesFor(without(left), [type])).toThrow(refused)
      expect(() => typesFor(without(left), ['session.ended', type])).toThrow(refused)
    }
  })

  it('are what is asked for, where that may be seen', () => {
    expect(typesFor(all, ['session.ended'])).toEqual(['session.ended'])
  })

  it('are of sessions for every built-in role', () => {
    for (const role of builtInRoles) {
      const held = all.filter((name) => (permissions[name].roles as readonly string[]).includes(role))
      expect(typesFor(held, ['session.ended', 'evidence.ready']), role).toEqual(['session.ended', 'evidence.ready'])
    }
  })
})
