import { describe, expect, it } from 'vitest'
import { domainOf, wings, wingsOneWay } from './wings.ts'

const found = (path: string, imported: string) =>
  wingsOneWay.find([{ path, text: `import type { X } from '${imported}'\n` }])

const house = 'server/src/domains'

describe('the wings of domains', () => {
  it('name only wings that stand above them in the table, so that no circle is possible', () => {
    const order = Object.keys(wings)
    for (const [name, below] of Object.entries(wings))
      for (const one of below) expect(order.indexOf(one), `${name} on ${one}`).toBeLessThan(order.indexOf(name))
  })

  it('let a domain import its own wing and those below, in the contract too', () => {
    expect(found(`${house}/review/reports/a.service.ts`, '../notes/b.service.ts')).toEqual([])
    expect(found(`${house}/review/reports/a.service.ts`, '../../interviews/sessions/b.service.ts')).toEqual([])
    expect(found('shared-protocol/src/domains/access/sso/a.ts', '../../organisation/orgs/b.ts')).toEqual([])
  })

  it('name an import upwards, of a type too, and what is allowed', () => {
    expect(found(`${house}/interviews/sessions/a.service.ts`, '../../review/reports/b.service.ts')).toEqual([
      {
        path: `${house}/interviews/sessions/a.service.ts`,
        message: `imports ${house}/review/reports/b.service.ts; interviews stands on organisation`,
      },
    ])
    expect(found('shared-protocol/src/domains/organisation/orgs/a.ts', '../../access/members/b.ts')).toHaveLength(1)
  })

  it('leave tests alone', () => {
    expect(found(`${house}/interviews/sessions/a.test.ts`, '../../review/reports/b.service.ts')).toEqual([])
  })
})

it('a file belongs to its domain, whatever wing and folder it stands in', () => {
  expect(domainOf(`${house}/recording/evidence/intake/a.service.ts`)).toBe('evidence')
  expect(domainOf(`${house}/evidence/intake/a.service.ts`)).toBe('evidence')
  expect(domainOf(`${house}/index.ts`)).toBeUndefined()
})
