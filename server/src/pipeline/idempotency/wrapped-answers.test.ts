import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../../test/test-support/engines.ts'
import { startServer, type TestServer } from '../../../test/test-support/server.ts'

const day = 24 * 3_600_000

interface Row {
  readonly key: string
  readonly answer: string
  readonly body_hash: string
}

for (const engine of everyEngine())
  describe(`remembered answers (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const create = (idempotencyKey: string, externalId: string) =>
      server.client(server.orgs[0].sandboxKey).call('sessions.create', { body: { externalId }, idempotencyKey })
    const rows = () => server.app.db.reader.all<Row>('SELECT * FROM idempotency_keys')

    it('are replayed whole, with the secret that is shown once, while their row holds none of it in the clear', async () => {
      const first = await create('req-1', 'REQ-4711')
      expect(first.data.agentJoinToken).toMatch(/^ajt_/)
      const again = await create('req-1', 'REQ-4711')
      expect(again.data).toEqual(first.data)
      expect(again.status).toBe(201)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      const text = JSON.stringify((await rows()).filter((row) => row.key === 'req-1'))
      expect(text).toContain('v1.')
      for (const hidden of ['ajt_', first.data.agentJoinToken.slice(4), 'REQ-4711']) {
        expect(text).not.toContain(hidden)
        expect(text).not.toContain(Buffer.from(hidden).toString('base64url').replace(/=+$/, ''))
      }
    })

    it('do not open in the row of another key', async () => {
      const [mine] = [await create('req-2', 'A'), await create('req-3', 'A')]
      await server.app.db.transact(async (tx) => {
        const sql =
          "UPDATE idempotency_keys SET answer = (SELECT answer FROM idempotency_keys WHERE key = 'req-2') WHERE key = 'req-3'"
        await tx.run(sql)
      })
      await expect(create('req-3', 'A')).rejects.toMatchObject({ code: 'internal_error' })
      expect((await create('req-2', 'A')).data).toEqual(mine.data)
    })

    it('are replayed by a process that starts later, refused for another body, and forgotten after a day', async () => {
      const first = await create('req-4', 'A')
      await server.restart()
      expect((await create('req-4', 'A')).data).toEqual(first.data)
      await expect(create('req-4', 'B')).rejects.toMatchObject({ code: 'idempotency_key_reuse', status: 422 })
      server.clock.advance(day - 1)
      expect((await create('req-4', 'A')).data.id).toBe(first.data.id)
      server.clock.advance(1)
      expect((await create('req-4', 'B')).data.id).not.toBe(first.data.id)
    })

    it('of a refused request are not kept', async () => {
      const refused = create('req-5', 'x'.repeat(201))
      await expect(refused).rejects.toMatchObject({ code: 'invalid_request' })
      expect((await create('req-5', 'x')).status).toBe(201)
    })
  })
