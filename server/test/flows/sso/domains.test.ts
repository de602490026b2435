import { maxSsoDomains } from '@integrity/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asOwner } from '../../test-support/sso.ts'

let server: TestServer
let ask: Awaited<ReturnType<typeof asOwner>>
beforeAll(async () => {
  server = await startServer()
  ask = await asOwner(server, server.orgs[0].orgId)
})
afterAll(() => server.stop())

it('lets an organisation claim as many domains as the ceiling says, and not one more', async () => {
  const claim = async (n: number) => {
    const { status, body } = await ask('POST', '/domains', { domain: `claimed${n}.example` })
    return body.error?.reason ?? status
  }
  const answers = []
  for (let n = 1; n <= maxSsoDomains; n++) answers.push(await claim(n))
  expect(new Set(answers)).toEqual(new Set([201]))
  expect(await claim(maxSsoDomains + 1)).toBe('too_many')
  // One that is claimed already is no further one.
  expect(await claim(maxSsoDomains)).toBe(201)
  await ask('DELETE', '/domains/claimed1.example')
  expect(await claim(maxSsoDomains + 1)).toBe(201)
})
