import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orgIdentity } from '../../../src/domains/organisation/orgs/orgs.service.ts'
import { destroySessionKey } from '../../../src/domains/recording/evidence/session-keys.store.ts'
import { openHeader } from '../../../src/platform/crypto/sealed-header.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import { openSealed } from '../../../src/platform/storage/sealed-object.ts'
import type { ObjectStore } from '../../../src/platform/storage/types.ts'
import { type CaptureSession, filesBelow, newClientId, picture, sendStill } from '../../test-support/capture-session.ts'
import { type Carve, carveAll, connectCarver, olderTransactionsOver } from '../../test-support/carve.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent, aSegment, fullConfig } from '../../test-support/world.ts'
import { evidenceOf } from './evidence.test-support.ts'

const flows = (engine: Engine) => {
  let server: TestServer
  let client: pg.Client | undefined
  let s: CaptureSession
  const { session } = evidenceOf(() => server)

  beforeAll(async () => {
    server = await startServer({ engine })
    if (engine === 'sqlite') return
    client = await connectCarver(server.app.config.databaseUrl!)
  })
  afterAll(async () => {
    await client?.end()
    await server.stop()
  })

  const carve: Carve = (text) => carveAll(server.app.config.dataDir, client)(text)
  const erase = async ({ api, id }: CaptureSession) => {
    await api.call('sessions.end', { params: { id } })
    await api.call('sessions.erase', { params: { id } })
    await server.processAll()
    // What the operator's own checkpoint does within its interval.
    await client?.query('SELECT pg_switch_wal()')
    await client?.query('CHECKPOINT')
  }

  it('an erased screenshot opens no more, with older objects, its header and the master key in hand', async () => {
    s = await session()
    const bytes = await picture()
    const { data } = await sendStill(server, s, { bytes })
    const { reader } = server.app.db
    const row = (await reader.get<{ header: string; storeKey: string }>(
      `SELECT o.header, o.store_key AS "storeKey" FROM evidence e JOIN objects o ON o.org_id = e.org_id
         AND o.object_id = e.object_id WHERE e.evidence_id = ?`,
      [data.id],
    ))!
    const { wrapped } = (await reader.get<{ wrapped: string }>(
      'SELECT wrapped FROM session_keys WHERE session_id = ?',
      [s.id],
    ))!
    const object = await server.app.store.open(row.storeKey)
    const backup = Buffer.from(await object.read(0, object.size))
    await object.close()
    /** What the thief does once the wrapped key of the session is found anywhere. */
    const open = async (key: string) => {
      const plain = server.app.keyring.unwrap(key, `session-key:${s.orgId}:${s.id}`)
      const header = openHeader(plain, row.header, row.storeKey)
      const identity = await orgIdentity({ ...server.app, reader }, s.orgId)
      const store = {
        open: async () => ({
          size: backup.length,
          read: async (offset: number, length: number) => backup.subarray(offset, offset + length),
          close: async () => undefined,
        }),
      } as unknown as ObjectStore
      const pieces: Buffer[] = []
      for await (const piece of openSealed(header, identity, store, row.storeKey, { sizeBytes: bytes.length }))
        pieces.push(piece)
      return Buffer.concat(pieces)
    }
    expect((await open(wrapped)).equals(bytes)).toBe(true)
    expect(await carve(wrapped)).not.toEqual([])

    await erase(s)
    expect(await carve(wrapped)).toEqual([])
    expect(server.logLines.join('\n')).not.toContain(wrapped)
    const place = { ...row, orgId: s.orgId, sessionId: s.id }
    await expect(server.app.sessionKeys.open(reader, place, row.header)).rejects.toMatchObject({
      code: 'no_matching_identity',
    })
  })

  it('the sealed header opens for its own object alone', async () => {
    const other = await session()
    await sendStill(server, other)
    const row = (await server.app.db.reader.get<{ header: string }>(
      'SELECT o.header FROM objects o WHERE o.header IS NOT NULL ORDER BY o.created_at DESC LIMIT 1',
    ))!
    const place = { orgId: other.orgId, sessionId: other.id, storeKey: `${other.orgId}/other` }
    await expect(server.app.sessionKeys.open(server.app.db.reader, place, row.header)).rejects.toMatchObject({
      code: 'malformed_header',
    })
  })

  it('leaves no word of an erased session in the files of the database', async () => {
    const clientId = newClientId()
    const told = await session({ config: fullConfig })
    await sendStill(server, told, { clientId })
    const [label, sentence, event] = ['label', 'sentence', 'event'].map(
      (of) => `${of}-${randomBytes(8).toString('hex')}`,
    )
    const params = { id: told.id }
    await server.app.db.transact((tx) =>
      tx.run('UPDATE sessions SET candidate_label = ? WHERE session_id = ?', [label!, told.id]),
    )
    server.clock.advance(10_000)
    const words = { ...aSegment(1), text: sentence! }
    await told.agent.call('agent.transcript.upsert', { params, body: { segments: [words] } })
    const events = [anEvent(server, 'display.added', { name: event! })]
    await told.agent.call('agent.events.ingest', { params, body: { events } })
    const all = [clientId, label!, sentence!, event!]
    // As the database does by itself, now and then.
    await client?.query('ANALYZE')
    for (const word of all) expect(await carve(word), word).not.toEqual([])
    await erase(told)
    // Dead rows, and what the planner keeps of values: docs/proof.md says what an operator does who must know them gone at once.
    await client?.query('DELETE FROM pg_statistic')
    if (client) await olderTransactionsOver(client)
    await client?.query('VACUUM (FULL, ANALYZE)')
    await client?.query('SELECT pg_switch_wal()')
    await client?.query('CHECKPOINT')
    for (const word of all) expect(await carve(word), word).toEqual([])
  })

  if (engine === 'sqlite') {
    it('leaves none of many keys, however they lay in its pages', async () => {
      const keys = Array.from({ length: 300 }, () => `v1.00000000.${randomBytes(60).toString('base64url')}`)
      await server.app.db.transact(async (tx) => {
        for (const [n, key] of keys.entries())
          await tx.run('INSERT INTO session_keys VALUES (?, ?, ?)', ['org_many', `ses_${n}`, key])
      })
      const gone = keys.filter((key) => key.charCodeAt(15) % 3 > 0)
      for (const key of gone)
        await server.app.db.transact((tx) =>
          destroySessionKey(tx, { orgId: 'org_many', sessionId: `ses_${keys.indexOf(key)}` }),
        )
      await server.app.db.scrub(['session_keys'])
      const files = await filesBelow(server.app.config.dataDir)
      const all = Buffer.concat(await Promise.all(files.map((file) => readFile(file))))
      expect(gone.filter((key) => all.includes(key))).toEqual([])
      expect(keys.filter((key) => all.includes(key)).length).toBe(keys.length - gone.length)
    })
  }
}

for (const engine of everyEngine()) describe(`erased is unreadable (${engine})`, () => flows(engine))
