import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../test-support/engines.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld } from '../test-support/world.ts'
import { allIds } from './common.ts'

/** Each kept count, and the rows that it stands for. */
const pairs: Readonly<Record<string, readonly [kept: string, counted: string]>> = {
  'events of a type': [
    `SELECT org_id, environment, type, n FROM event_counts WHERE session_id = '' ORDER BY 1, 2, 3`,
    'SELECT org_id, environment, type, count(*) AS n FROM events GROUP BY 1, 2, 3 ORDER BY 1, 2, 3',
  ],
  'events of a session and type': [
    `SELECT org_id, session_id, type, n FROM event_counts WHERE session_id <> '' ORDER BY 1, 2, 3`,
    'SELECT org_id, session_id, type, count(*) AS n FROM events WHERE session_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3',
  ],
  'sessions in a state, by who provisioned them, in a stretch of time': [
    `SELECT org_id, environment, state, provisioned_id, width_ms, bucket, n FROM session_counts
     WHERE n > 0 AND state <> '' AND provisioned_id <> '' ORDER BY 1, 2, 3, 4, 5, 6`,
    `SELECT org_id, environment, state, provisioned_id, width_ms, created_at / width_ms AS bucket, count(*) AS n
     FROM sessions CROSS JOIN (SELECT DISTINCT width_ms FROM session_counts) AS widths
     GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`,
  ],
  'sessions in a stretch of time': [
    `SELECT org_id, environment, width_ms, bucket, n FROM session_counts
     WHERE state = '' AND provisioned_id = '' ORDER BY 1, 2, 3, 4`,
    `SELECT org_id, environment, width_ms, created_at / width_ms AS bucket, count(*) AS n
     FROM sessions CROSS JOIN (SELECT DISTINCT width_ms FROM session_counts) AS widths
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  ],
  'deliveries in a status': [
    `SELECT org_id, endpoint_id, status, event_type, n FROM webhook_delivery_counts WHERE n <> 0 ORDER BY 1, 2, 3, 4`,
    `SELECT org_id, endpoint_id, status, event_type, count(*) AS n FROM webhook_deliveries
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  ],
  'entries of a sync log by direction and status': [
    'SELECT org_id, config_id, direction, status, n FROM ats_sync_counts WHERE n <> 0 ORDER BY 1, 2, 3, 4',
    `SELECT org_id, config_id, direction, status, count(*) AS n FROM ats_syncs
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  ],
  'announcements of a chat app in a status': [
    'SELECT org_id, integration_id, status, n FROM chat_delivery_counts WHERE n <> 0 ORDER BY 1, 2, 3',
    `SELECT org_id, integration_id, status, count(*) AS n FROM chat_deliveries
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  ],
  'candidate requests in a status': [
    'SELECT org_id, environment, status, kind, n FROM candidate_request_counts WHERE n <> 0 ORDER BY 1, 2, 3, 4',
    `SELECT org_id, environment, status, kind, count(*) AS n FROM candidate_requests
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  ],
  'members of a role': [
    'SELECT org_id, role, active, custom_role_id, n FROM membership_counts WHERE n <> 0 ORDER BY 1, 2, 3, 4',
    `SELECT org_id, role, active, COALESCE(custom_role_id, '') AS custom_role_id, count(*) AS n FROM memberships
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  ],
  'invites in a state': [
    'SELECT org_id, state, n FROM invite_counts WHERE n <> 0 ORDER BY 1, 2',
    'SELECT org_id, state, count(*) AS n FROM invites GROUP BY 1, 2 ORDER BY 1, 2',
  ],
  'segments of a session': [
    'SELECT org_id, session_id, segment_count AS n FROM sessions WHERE segment_count <> 0 ORDER BY 1, 2',
    'SELECT org_id, session_id, count(*) AS n FROM transcript_segments GROUP BY 1, 2 ORDER BY 1, 2',
  ],
}

for (const engine of everyEngine())
  describe(`a kept count (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
      const world = await buildWorld(server)
      for (const id of allIds) await send(server.url, specOf(id), await makeExample(world, id))
      await server.processAll()
      // Another endpoint answers nothing, and is deleted with what it was still to get.
      const api = server.client(world.key)
      const { data: deaf } = await api.call('webhooks.create', {
        body: { url: 'http://127.0.0.1:9/', eventTypes: ['session.scheduled'] },
      })
      await api.call('sessions.create', { body: {} })
      await server.processAll()
      await api.call('sessions.create', { body: {} })
      await api.call('webhooks.delete', { params: { id: deaf.id } })
    })
    afterAll(() => server.stop())

    it.each(Object.entries(pairs))('of %s is the number of its rows', async (_name, [kept, counted]) => {
      const { reader } = server.app.db
      const rows = await reader.all(counted)
      expect(rows.length).toBeGreaterThan(0)
      expect(await reader.all(kept)).toEqual(rows)
    })
  })
