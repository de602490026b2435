import { describe, expect, it } from 'vitest'
import { closedRoles, helperNames } from './file-names.ts'

const found = (check: typeof closedRoles, ...paths: string[]) =>
  check.find(paths.map((path) => ({ path, text: '' }))).map(({ path }) => path)
const domain = (name: string) => `server/src/domains/interviews/sessions/${name}`

describe('the roles of a domain', () => {
  it('are a closed list, for tests too', () => {
    const right = ['sessions.routes.ts', 'sessions.list.view.ts', 'consent.model.test.ts', 'joining/limits.service.ts']
    const wrong = ['consent.ts', 'sessions.helper.ts', 'consent.test.ts', 'service.ts']
    expect(found(closedRoles, ...[...right, ...wrong].map(domain))).toEqual(wrong.map(domain))
  })

  it('may name a language, may be shared by tests, and bind the domains alone', () => {
    const right = ['server/src/kernel/call.ts', domain('sessions.texts.hi.ts'), domain('build-session.test-support.ts')]
    expect(found(closedRoles, ...right)).toEqual([])
  })
})

describe('the names of what tests share', () => {
  it('are one suffix and one folder', () => {
    const right = ['server/test/test-support/world.ts', 'a/b.test-support.ts', 'agent/src/support.ts']
    const wrong = ['server/test/support/world.ts', 'a/b.fixture.ts', 'a/writer.child.ts', 'a/testing/b.ts']
    expect(found(helperNames, ...right, ...wrong)).toEqual(wrong)
  })
})
