import { createClient } from '@integrity/client/every-endpoint'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MigratableDb } from '../../../src/platform/db/dialect.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { readMail } from '../../test-support/mail.ts'
import { type ServerProcess, startProcess } from '../../test-support/scale-processes.ts'
import { type SmtpServer, startSmtp } from '../../test-support/smtp.ts'
import { until } from '../../test-support/until.ts'
import { type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

const shortLeases = new URL('../../test-support/short-leases.ts', import.meta.url)
const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' }

describe.skipIf(!hasEngine('postgres'))('a process that stands still for longer than its leases', () => {
  let database: FreshDatabase
  let db: MigratableDb
  let smtp: SmtpServer
  let receiver: Receiver
  const processes: ServerProcess[] = []
  beforeEach(async () => {
    database = await freshDatabase('postgres')
    db = database.open()
    smtp = await startSmtp()
    receiver = await startReceiver(() => Date.now())
  })
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')))
    await receiver.stop()
    await smtp.stop()
    await database.drop()
  })

  const startOne = async (more: Readonly<Record<string, string>> = {}) => {
    const env = { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir, SMTP_URL: smtp.url, ...more }
    const process = await startProcess(env, shortLeases)
    processes.push(process)
    return { process, url: `http://127.0.0.1:${process.port}` }
  }
  const printed = async (process: ServerProcess, pattern: RegExp): Promise<string> => {
    await until(() => pattern.test(process.output()))
    return pattern.exec(process.output())?.[1] ?? ''
  }
  const all = (sql: string) => db.reader.all<Record<string, unknown>>(sql)
  /** What came of the letter and of the deliveries. */
  const outcome = async () => ({
    letters: await all("SELECT * FROM jobs WHERE kind = 'auth.password_link'"),
    deliveries: await all('SELECT * FROM webhook_deliveries ORDER BY delivery_id'),
    attempts: await all('SELECT * FROM webhook_attempts ORDER BY delivery_id, attempt'),
    counts: await all('SELECT * FROM webhook_delivery_counts ORDER BY 1, 2, 3, 4, 5'),
  })
  const delivered = async (): Promise<number> =>
    (await all("SELECT 1 AS one FROM webhook_deliveries WHERE status = 'delivered'")).length

  it('loses its work to another one, and changes nothing of it when it goes on', { timeout: 120_000 }, async () => {
    const { process: frozen, url } = await startOne(terminal)
    const token = await printed(frozen, /sandbox key +(sk_test_\S+)/)
    const email = await printed(frozen, /owner's login +(\S+)/)
    const api = createClient({ baseUrl: url, token })
    await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['session.scheduled'] } })

    // Its letter is on its way and not taken yet, and so is a delivery, when it stops.
    const answered = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<void>()
    smtp.onTaken(() => {
      taken.resolve()
      return answered.promise
    })
    await api.call('auth.password.forgot', { body: { email } })
    await taken.promise
    receiver.answer(() => {
      frozen.freeze()
      return 'hang'
    })
    const creating = api.call('sessions.create', { body: { externalId: 'before' } })
    await receiver.arrived(1)

    receiver.answer({ status: 204 })
    smtp.onTaken(() => undefined)
    const { process: heir, url: heirUrl } = await startOne()
    const other = createClient({ baseUrl: heirUrl, token })
    await other.call('sessions.create', { body: { externalId: 'meanwhile' } })
    await until(async () => (await delivered()) === 2 && (await outcome()).letters[0]?.['state'] === 'done')
    const before = await outcome()
    expect(before.letters).toHaveLength(1)
    expect(before.attempts.map(({ attempt, outcome: end }) => [attempt, end])).toEqual([
      [1, 'success'],
      [1, 'success'],
    ])
    // The same letter, by its name, and the same event.
    expect(new Set(smtp.received.map(({ text }) => readMail(text).id)).size).toBe(1)
    expect(receiver.received.filter(({ body }) => body.toString().includes('"before"'))).toHaveLength(2)
    const told = [smtp.received.length, receiver.received.length]

    answered.resolve()
    frozen.thaw()
    await printed(frozen, /an attempt ended after its delivery was cancelled or taken over/)
    await printed(frozen, /a job ended after its lease was lost/)
    expect((await creating).data.externalId).toBe('before')
    expect(await outcome()).toEqual(before)
    expect([smtp.received.length, receiver.received.length]).toEqual(told)

    // It serves and sends again.
    await heir.end('SIGTERM')
    await api.call('sessions.create', { body: { externalId: 'after' } })
    await until(async () => (await delivered()) === 3)
    expect((await api.call('sessions.list')).data.total).toBe(3)
    expect(receiver.received).toHaveLength(told[1]! + 1)
  })
})
