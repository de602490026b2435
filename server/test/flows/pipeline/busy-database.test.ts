import { afterEach, describe, expect, it } from 'vitest'
import { DatabaseBusy } from '../../../src/platform/db/errors.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

describe('a read that is not answered in time', () => {
  let database: FreshDatabase | undefined
  let server: TestServer | undefined
  afterEach(async () => {
    await server?.stop()
    await database?.drop()
  })

  it('is refused for the time being', async () => {
    database = await freshDatabase('sqlite')
    const late = () => Promise.reject(new DatabaseBusy(new Error('late')))
    const db = { ...database.open(), longReader: () => ({ all: late, get: late }) }
    server = await startServer({ engine: 'sqlite', overrides: { db } })
    const headers = { authorization: `Bearer ${server.orgs[0].sandboxKey}` }
    const answer = await fetch(`${server.url}/v1/api/sessions`, { headers })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: { code: 'service_unavailable' } })
  })
})
