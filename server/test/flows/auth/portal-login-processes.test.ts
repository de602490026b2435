import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasEngine } from '../../test-support/engines.ts'
import { type OtherServer, startOther } from '../../test-support/other-server.ts'
import { addMember } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'

const ceiling = 6

describe.skipIf(!hasEngine('postgres'))('passwords that several processes look at', () => {
  let server: TestServer
  const others: OtherServer[] = []
  let clients: Client[]
  beforeAll(async () => {
    server = await startServer({ engine: 'postgres', limits: { failuresPerAddress: ceiling } })
    for (let n = 0; n < 3; n += 1) others.push(await startOther(server))
    clients = [server.client(), ...others.map((other) => other.client())]
  })
  afterAll(async () => {
    for (const other of others) await other.stop()
    await server.stop()
  })

  const wrong = (client: Client, n: number) =>
    refusalOf(
      client.call('auth.login', { body: { email: `nobody-${n}@example.org`, password: `guess ${n}, not right` } }),
    )

  it('are no more than the ceiling of an address in all, however many are sent to all of them at once', async () => {
    // A second try counts in a minute of its own.
    server.clock.advance(60_000)
    const refusals = await Promise.all(Array.from({ length: 40 }, (_, n) => wrong(clients[n % clients.length]!, n)))
    const counts = Map.groupBy(refusals, ({ code }) => code)
    expect(counts.get('unauthorized')).toHaveLength(ceiling)
    expect(counts.get('rate_limited')).toHaveLength(40 - ceiling)
  })

  it('take nothing from the ceiling where they are right, in whichever process', async () => {
    server.clock.advance(60_000)
    const { email } = await addMember(server, 'owner')
    for (let n = 0; n < 3 * ceiling; n += 1)
      await clients[n % clients.length]!.call('auth.login', { body: { email, password: testPassword } })
    for (let n = 0; n < ceiling; n += 1)
      expect((await wrong(clients[n % clients.length]!, 100 + n)).code).toBe('unauthorized')
  })
})
