// A server in a process of its own that a test may kill at any moment. Time is the test's: it stands still until told.
import type { EventType } from '@integrity/protocol'
import { defaultLimits, readConfig } from '../../src/app/config.ts'
import { startServer } from '../../src/app/server.ts'
import { createDispatcher } from '../../src/domains/integrations/deliveries/deliveries.dispatcher.worker.ts'
import { nextDueAcrossOrgs } from '../../src/domains/integrations/deliveries/deliveries.queue.store.ts'
import { bootstrapOrg } from '../../src/domains/organisation/orgs/bootstrap.service.ts'
import { createManualClock } from '../../src/platform/manual-clock.test-support.ts'
import type { Claimed, Hello, ProofType, Settings, Task } from './delivery-proof.messages.ts'

const settings = JSON.parse(process.env['PROOF'] ?? '{}') as Settings
const unlimited = { ...defaultLimits, perKey: 1e9, perOrg: 1e9, perCredential: 1e9, perAddress: 1e9 }
const config = {
  ...readConfig({
    PORT: '0',
    DATA_DIR: settings.dataDir,
    WEBHOOK_ALLOW_PRIVATE: '1',
    LOG_LEVEL: 'error',
    ...(settings.databaseUrl && { DATABASE_URL: settings.databaseUrl }),
  }),
  limits: unlimited,
}
const clock = createManualClock(settings.now)
const running = await startServer(config, { overrides: { clock }, background: false })
const { app } = running.built

/** What an earlier process was doing when it was killed. */
const cutOff = await app.db.reader.all<Claimed>(
  `SELECT delivery_id AS id, attempt_count AS attempts, lease_until AS "leaseUntil", lease_owner AS owner
   FROM webhook_deliveries WHERE lease_owner IS NOT NULL`,
)
const dead = [...new Set(cutOff.map((row) => row.owner))]
const org = settings.bootstrap
  ? await bootstrapOrg(app, { org: 'Acme', email: 'owner@example.org', password: 'correct horse battery' })
  : undefined

/** Attempts that their receiver will not end are given up early; every other has the ten seconds a busy machine may need. */
const post: typeof app.httpOut.post = (url, options) => {
  const { searchParams } = new URL(url)
  const endless = Number(searchParams.get('attempts')) >= Number(options.headers['X-Service-Delivery-Attempt'])
  return app.httpOut.post(
    url,
    endless && !settings.patient ? { ...options, timeoutMs: Number(searchParams.get('patience')) } : options,
  )
}
const timeoutMs = settings.patient ? 300_000 : 10_000
createDispatcher({ ...app, httpOut: { ...app.httpOut, post } }, { timeoutMs }).start()

interface ProofSession {
  readonly id: string
  readonly externalId: null
  readonly state: 'live'
}

const dataOf = (type: ProofType, session: ProofSession) => {
  if (type === 'session.ended') return { session, reason: null }
  if (type !== 'companion.paired') return { session }
  return { session, companion: { id: app.newId('cpn') }, at: new Date(clock.now()).toISOString() }
}

const publishOne = async (orgId: string, type: Task & { kind: 'publish' }): Promise<string> => {
  const session = { id: app.newId('ses'), externalId: null, state: 'live' } as const
  const scope = { orgId, environment: 'sandbox' } as const
  const event = await app.db.transact((tx) =>
    app.outbox.publish<EventType>(
      { tx, scope },
      {
        type: type.type,
        sessionId: session.id,
        data: dataOf(type.type, session),
      },
    ),
  )
  return event.id
}

const busy = async (): Promise<boolean> => {
  const notDead = dead.length === 0 ? '' : `AND lease_owner NOT IN (${dead.map(() => '?').join(', ')})`
  const row = await app.db.reader.get(
    `SELECT 1 AS one FROM webhook_deliveries
     WHERE next_attempt_at IS NOT NULL AND lease_owner IS NOT NULL ${notDead} LIMIT 1`,
    dead,
  )
  return row !== undefined
}

/** Until nothing is due and nothing of this process is under way; when the next delivery is due. */
const idle = async (): Promise<number | null> => {
  const isDue = (next: number | null) => next !== null && next <= clock.now()
  for (;;) {
    // The second question reads the whole queue, so it is asked only once the first one says that nothing is due.
    if (!isDue(await nextDueAcrossOrgs(app.db.reader)) && !(await busy())) {
      // What ended between the two questions has got a time of its own, which may be the next.
      const next = await nextDueAcrossOrgs(app.db.reader)
      if (!isDue(next)) return next
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const perform = async (task: Task): Promise<unknown> => {
  if (task.kind === 'publish')
    return Promise.all(Array.from({ length: task.count }, () => publishOne(task.orgId, task)))
  if (task.kind === 'rows') return app.db.reader.all(task.sql)
  if (task.kind === 'jobs') return running.workers.jobs.processAll()
  // The dispatcher sleeps relative to the clock: time may not jump between its look at the queue and its sleep.
  await clock.asleep(1)
  if (task.now > clock.now()) clock.advance(task.now - clock.now())
  return idle()
}

process.on('message', (message: { id: number; task: Task }) => {
  perform(message.task).then(
    (value) => process.send?.({ id: message.id, value }),
    (error: unknown) => process.send?.({ id: message.id, error: String(error) }),
  )
})
// The test has gone: nobody is left to end this process.
process.on('disconnect', () => process.exit(0))
process.send?.({ url: running.listening.url, cutOff, org } satisfies Hello)
