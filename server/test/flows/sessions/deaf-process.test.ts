import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { register, scheduleSession } from '../../test-support/world.ts'
import { pairedPhone } from '../companions/companions.test-support.ts'

/** No word of the database comes back to the process, and the clock stands still: what it remembers must go by itself. */
for (const engine of everyEngine())
  describe(`what a process ends, ends in it at once (${engine})`, () => {
    let database: FreshDatabase
    let server: TestServer
    let api: Client
    beforeAll(async () => {
      database = await freshDatabase(engine)
      const db = { ...database.open(), listen: () => () => undefined }
      server = await startServer({ engine, overrides: { db } })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(async () => {
      await server.stop()
      await database.drop()
    })

    it('the token of a phone that lets go', async () => {
      const { phone, sessionId } = await pairedPhone(server, api)
      const look = () => phone.call('companion.get', { params: { id: sessionId } })
      expect((await look()).status).toBe(200)
      await phone.call('pairings.unpair', { params: { sessionId } })
      expect((await refusalOf(look())).code).toBe('unauthorized')
    })

    it('the token of a room whose session ends', async () => {
      const session = await scheduleSession(api)
      await register(server, session)
      const { data } = await api.call('sessions.roomDevices.create', { params: { id: session.id } })
      const look = () => server.client(data.roomToken).call('rooms.get', { params: { sessionId: session.id } })
      expect((await look()).status).toBe(200)
      await api.call('sessions.end', { params: { id: session.id } })
      expect((await refusalOf(look())).code).toBe('unauthorized')
    })
  })
