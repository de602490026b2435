import type { EventType } from '@integrity/protocol'
import type { Environment } from '../../src/kernel/identity/scope.ts'
import type { PublishedEvent } from '../../src/kernel/outbox/outbox.types.ts'
import type { TestServer } from './server.ts'

/** Publishes an event about a session as any service would: in a transaction of its own, through the outbox. */
export const publish = (
  server: TestServer,
  options: {
    org?: 0 | 1
    environment?: Environment
    type?: Extract<EventType, 'session.scheduled' | 'session.started' | 'webhook.test'>
    sessionId?: string
  } = {},
): Promise<PublishedEvent> => {
  const { org = 0, environment = 'sandbox', type = 'session.scheduled' } = options
  const sessionId = options.sessionId ?? server.app.newId('ses')
  const scope = { orgId: server.orgs[org].orgId, environment }
  return server.app.db.transact((tx) =>
    type === 'webhook.test'
      ? server.app.outbox.publish({ tx, scope }, { type, data: { webhook: { id: 'whk_none' } } })
      : server.app.outbox.publish(
          { tx, scope },
          {
            type,
            sessionId,
            data: { session: { id: sessionId, externalId: null, state: 'scheduled' } },
          },
        ),
  )
}

export const publishMany = async (
  server: TestServer,
  count: number,
  options: Parameters<typeof publish>[1] = {},
): Promise<PublishedEvent[]> => {
  const events: PublishedEvent[] = []
  for (let n = 0; n < count; n++) events.push(await publish(server, options))
  return events
}
