// The server of the webhooks bench: queues deliveries while no dispatcher runs, then dispatches them with the dispatcher
// that a server runs, and says how long that took until the last result was committed.

import { readConfig } from '../src/app/config.ts'
import { startServer } from '../src/app/server.ts'
import { createDispatcher } from '../src/domains/integrations/deliveries/deliveries.dispatcher.worker.ts'
import { createEndpoint } from '../src/domains/integrations/webhooks/webhooks.service.ts'
import { bootstrapOrg } from '../src/domains/organisation/orgs/bootstrap.service.ts'
import { seconds } from './harness.ts'

const config = readConfig({
  ...process.env,
  PORT: '0',
  LOG_LEVEL: 'error',
  NODE_ENV: 'production',
  WEBHOOK_ALLOW_PRIVATE: '1',
})
const running = await startServer(config, { background: false })
const { app } = running.built
const org = await bootstrapOrg(app, { org: 'Bench', email: 'bench@example.org', password: 'correct horse battery' })
const scope = { orgId: org.orgId, environment: 'live' } as const
const actor = { ...scope, kind: 'api_key', id: 'bench', label: 'bench', scopes: [] } as const

/** One event for every endpoint, so `events × endpoints` deliveries. */
const queue = async (events: number): Promise<void> => {
  const session = { id: app.newId('ses'), externalId: 'REQ-1024', state: 'scheduled' } as const
  const publish = () =>
    app.db.transact((tx) =>
      app.outbox.publish({ tx, scope }, { type: 'session.scheduled', sessionId: session.id, data: { session } }),
    )
  for (let left = events; left > 0; left -= 100) await Promise.all(Array.from({ length: Math.min(100, left) }, publish))
}

const unfinished = async (): Promise<boolean> => {
  const row = await app.db.reader.get(
    'SELECT 1 AS one FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL LIMIT 1',
  )
  return row !== undefined
}

const dispatch = async (): Promise<number> => {
  const dispatcher = createDispatcher(app)
  const took = await seconds(async () => {
    dispatcher.start()
    while (await unfinished()) await new Promise((resolve) => setTimeout(resolve, 2))
  })
  await dispatcher.stop()
  return took
}

/** Publishes at an even rate while a dispatcher runs, as a service does. */
const pace = async (perSecond: number, forSeconds: number): Promise<number> => {
  const dispatcher = createDispatcher(app)
  dispatcher.start()
  const started = performance.now()
  const under: Promise<void>[] = []
  for (let sent = 0; sent < perSecond * forSeconds; ) {
    const due = Math.min(perSecond * forSeconds, Math.floor(((performance.now() - started) / 1000) * perSecond))
    for (; sent < due; sent += 1) under.push(queue(1))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(under)
  while (await unfinished()) await new Promise((resolve) => setTimeout(resolve, 2))
  await dispatcher.stop()
  return (performance.now() - started) / 1000
}

type Order =
  | { urls: string[] }
  | { queue: number }
  | { dispatch: true }
  | { pace: { perSecond: number; seconds: number } }
process.on('message', (order: Order) => {
  const perform = async (): Promise<number> => {
    if ('queue' in order) await queue(order.queue)
    else if ('urls' in order)
      for (const url of order.urls)
        await app.db.transact((tx) =>
          createEndpoint({ ...app, tx, reader: tx, scope, actor }, { url, eventTypes: ['*'] }),
        )
    else return 'pace' in order ? pace(order.pace.perSecond, order.pace.seconds) : dispatch()
    return 0
  }
  void perform().then((value) => process.send?.({ value }))
})
process.on('disconnect', () => void running.stop().then(() => process.exit(0)))
process.send?.({})
