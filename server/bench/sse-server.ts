// Our side of the stream bench: a whole server. Publishing is what every service does, a transaction with an outbox row.
import { defaultLimits, readConfig } from '../src/app/config.ts'
import { startServer } from '../src/app/server.ts'
import { bootstrapOrg } from '../src/domains/organisation/orgs/bootstrap.service.ts'
import { type PublishOrder, publishPaced } from './sse-paced.ts'

const unlimited = {
  ...defaultLimits,
  perKey: 1e9,
  perOrg: 1e9,
  perCredential: 1e9,
  perAddress: 1e9,
  streamsPerKey: 1e9,
}
const config = {
  ...readConfig({ ...process.env, PORT: '0', LOG_LEVEL: 'error', NODE_ENV: 'production' }),
  limits: unlimited,
}
const running = await startServer(config)
const { app } = running.built
const org = await bootstrapOrg(app, { org: 'Bench', email: 'bench@example.org', password: 'correct horse battery' })
const scope = { orgId: org.orgId, environment: 'sandbox' } as const
const session = { id: app.newId('ses'), externalId: 'REQ-1024', state: 'scheduled' } as const
const publish = async (): Promise<void> => {
  await app.db.transact((tx) =>
    app.outbox.publish({ tx, scope }, { type: 'session.scheduled', sessionId: session.id, data: { session } }),
  )
}
process.on('message', (order: PublishOrder) => void publishPaced(order, publish))
process.on('disconnect', () => void running.stop().then(() => process.exit(0)))
process.send?.({ url: `${running.listening.url}/v1/api/events/stream`, key: org.sandboxKey })
