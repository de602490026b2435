import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { type ServerProcess, skewed, startProcess, startProcesses } from '../../test-support/scale-processes.ts'
import { type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

describe.skipIf(!hasEngine('postgres'))('a process whose clock is ahead, beside one whose clock is right', () => {
  let database: FreshDatabase
  let processes: ServerProcess[] = []
  let receiver: Receiver
  beforeAll(async () => {
    database = await freshDatabase('postgres')
    receiver = await startReceiver(() => Date.now())
    receiver.answer('hang')
  })
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.end('SIGKILL')))
    await receiver.stop()
    await database.drop()
  })

  it('takes over no delivery that the other has under way, as leases go by the clock of the database', async () => {
    const env = { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir }
    const { processes: started, key } = await startProcesses(1, env)
    processes = started
    const api = createClient({ baseUrl: started[0]!.url, token: key })
    await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['session.scheduled'] } })
    await api.call('sessions.create', { body: {} })
    await receiver.arrived(1)
    const ahead = await startProcess({ ...env, ...skewed(600_000) })
    processes.push(ahead)
    const ready = await fetch(`${ahead.url}/v1/health/ready`)
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('the clock of this machine is')])
    // It looks for work at once, and again every second.
    await pause(3000)
    const attempts = receiver.received.map(({ headers }) => headers['x-service-delivery-attempt'])
    expect(attempts).toEqual(attempts.map((_, at) => String(at + 1)))
  }, 120_000)
})
