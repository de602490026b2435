import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evidenceCommands } from '../../../src/app/evidence-commands.ts'
import { recipientsOf } from '../../../src/domains/organisation/recipients/recipients.service.ts'
import { bindOldEvidence } from '../../../src/domains/recording/evidence/binding.service.ts'
import { listKeptAcrossOrgs } from '../../../src/domains/recording/evidence/binding.store.ts'
import { bindingOf } from '../../../src/domains/recording/evidence/evidence.binding.model.ts'
import { readContent } from '../../../src/domains/recording/evidence/evidence.download.service.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import type { Param } from '../../../src/platform/db/types.ts'
import { sealWhole } from '../../../src/platform/storage/sealed-object.ts'
import {
  auditOf,
  type CaptureSession,
  film,
  iso,
  newClientId,
  picture,
  sendStill,
  sha256,
} from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from './downloads.test-support.ts'
import { evidenceOf, scopeOf } from './evidence.test-support.ts'

const flows = (engine: Engine) => {
  let server: TestServer
  let s: CaptureSession
  const { session, download } = evidenceOf(() => server)
  beforeAll(async () => {
    server = await startServer({ engine })
    s = await session({ config: { camera: { clips: true } } })
  })
  afterAll(() => server.stop())

  const run = (sql: string, params: Param[] = []) => server.app.db.transact((tx) => tx.run(sql, params))
  const still = async () => (await sendStill(server, s, { bytes: await picture() })).data
  const objectOf = async (id: string) =>
    (await server.app.db.reader.get<{ id: string; header: string; storeKey: string }>(
      `SELECT o.object_id AS id, o.header, o.store_key AS "storeKey" FROM evidence e
       JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id WHERE e.evidence_id = ?`,
      [id],
    ))!
  /** Exit code and findings of the operator's program. */
  const verify = async () => {
    const lines: string[] = []
    const call = { app: server.app, env: {}, print: (line: string) => void lines.push(line), secret: async () => '' }
    const code = await evidenceCommands['evidence verify']!(call, ['--json', '--org', s.orgId])
    return { code, findings: lines.slice(0, -1).map((line) => JSON.parse(line) as unknown), sum: lines.at(-1) }
  }
  /** What a reader gets of a row that does not fit, and what the operator is told. */
  const expectRefused = async (ids: readonly string[], fault: string) => {
    for (const id of ids) {
      const answer = await bytesOf(await download(s, id))
      expect([answer.status, answer.bytes.subarray(0, 1).toString()]).toEqual([500, '{'])
      const read = async () => {
        for await (const _ of readContent(
          { ...server.app, reader: server.app.db.reader, scope: scopeOf(s) },
          { item: { id } },
        ));
      }
      await expect(read()).rejects.toMatchObject({ code: fault })
    }
    const { code, findings } = await verify()
    expect(code).toBe(1)
    const named = ids.map((evidenceId) => ({ orgId: s.orgId, sessionId: s.id, evidenceId, fault }))
    expect(findings).toEqual(expect.arrayContaining(named))
  }

  describe('evidence that was changed in the database is refused and named:', () => {
    it('another picture under an id', async () => {
      const [shown, put] = [await still(), await still()]
      const other = await objectOf(put.id)
      await run('UPDATE evidence SET object_id = ?, sha256 = ?, size_bytes = ? WHERE evidence_id = ?', [
        other.id,
        put.sha256,
        put.sizeBytes,
        shown.id,
      ])
      await expectRefused([shown.id], 'row_changed')
    })

    it('one sealed with the public recipient alone', async () => {
      const item = await still()
      const bytes = await picture()
      async function* source() {
        yield bytes
      }
      const storeKey = `${s.orgId}/obj-${randomUUID()}`
      const recipients = await recipientsOf({ reader: server.app.db.reader }, s.orgId)
      const options = { store: server.app.store, key: storeKey, size: bytes.length, recipients }
      const { header } = await sealWhole(source(), options)
      const { id } = await objectOf(item.id)
      await run('UPDATE objects SET header = ?, store_key = ? WHERE object_id = ?', [header, storeKey, id])
      await run('UPDATE evidence SET sha256 = ?, size_bytes = ? WHERE evidence_id = ?', [
        sha256(bytes),
        bytes.length,
        item.id,
      ])
      await expectRefused([item.id], 'row_changed')
    })

    for (const column of ['store_key', 'header'])
      it(`two rows whose ${column} was swapped`, async () => {
        const [a, b] = [await still(), await still()]
        const [first, second] = [await objectOf(a.id), await objectOf(b.id)]
        const of = (object: typeof first) => (column === 'header' ? object.header : object.storeKey)
        await run(`UPDATE objects SET ${column} = ? WHERE object_id = ?`, [of(second), first.id])
        await run(`UPDATE objects SET ${column} = ? WHERE object_id = ?`, [of(first), second.id])
        await expectRefused([a.id, b.id], 'row_changed')
      })

    it('a row without its MAC, and with that of another', async () => {
      const [a, b] = [await still(), await still()]
      await run('UPDATE evidence SET mac = (SELECT mac FROM evidence WHERE evidence_id = ?) WHERE evidence_id = ?', [
        b.id,
        a.id,
      ])
      await expectRefused([a.id], 'row_changed')
      await run('UPDATE evidence SET mac = NULL WHERE evidence_id = ?', [a.id])
      await expectRefused([a.id], 'unbound')
    })
  })

  it('a wrong end breaks the answer of a full read, and never completes it', async () => {
    const bytes = film(200_000)
    const meta = { clientId: newClientId(), capturedAt: iso(server.clock.now()), durationMs: 9, sha256: sha256(bytes) }
    const raw = { bytes, contentType: 'video/webm', meta }
    const { data } = await s.agent.call('agent.cameraClips.upload', { params: { id: s.id }, raw })
    const { rows, row } = await (async () => {
      const all = await listKeptAcrossOrgs(server.app.db.reader, { after: { orgId: '', id: '' }, limit: 1000 })
      return { rows: all.length, row: all.find(({ id }) => id === data.id)! }
    })()
    expect(rows).toBeGreaterThan(0)
    // With the master key: else the row would be refused before its bytes are read.
    const other = { ...row, header: row.header!, sha256: sha256(Buffer.from('other')) }
    const mac = bindingOf(server.app.keyring, other)
    await run('UPDATE evidence SET sha256 = ?, mac = ? WHERE evidence_id = ?', [other.sha256, mac, row.id])
    await expect(bytesOf(await download(s, row.id))).rejects.toThrow()
    expect((await verify()).findings).toContainEqual(
      expect.objectContaining({ evidenceId: row.id, fault: 'other_bytes' }),
    )
  })

  it('an object that is gone, or another sealed one in its place, is named', async () => {
    const [gone, a, b] = [await still(), await still(), await still()]
    const key = async (id: string) => (await objectOf(id)).storeKey
    await server.app.store.remove(await key(gone.id))
    const reader = await server.app.store.open(await key(b.id))
    const sealed = Buffer.from(await reader.read(0, reader.size))
    await reader.close()
    await server.app.store.remove(await key(a.id))
    async function* source() {
      yield sealed
    }
    await server.app.store.put(await key(a.id), source(), { size: sealed.length })
    expect((await verify()).findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ evidenceId: gone.id, fault: 'missing' }),
        expect.objectContaining({ evidenceId: a.id, fault: 'object_changed' }),
      ]),
    )
  })

  it('the audit row of what was stored states its hash', async () => {
    const item = await still()
    expect((await auditOf(server, s)).at(-1)).toMatchObject({
      action: 'evidence.stored',
      target: item.id,
      payload: { sha256: item.sha256 },
    })
  })

  describe('evidence from before', () => {
    const unbound = async () =>
      (await server.app.db.reader.get<{ n: number }>('SELECT count(*) AS n FROM evidence WHERE mac IS NULL'))!.n

    it('is bound once, and going on after a cut', async () => {
      const item = await still()
      await run('DELETE FROM evidence_bindings')
      await run('UPDATE evidence SET mac = NULL')
      await bindOldEvidence(server.app)
      expect(await unbound()).toBe(0)
      expect((await bytesOf(await download(s, item.id))).status).toBe(200)
    })

    it.each([
      ['a row loses its MAC later', ''],
      ['the record of it is deleted', 'DELETE FROM evidence_bindings'],
      ['the record of it is changed', "UPDATE evidence_bindings SET state = 'binding', org_id = '', evidence_id = ''"],
    ])('stays refused when %s', async (_title, sql) => {
      const item = await still()
      await run('UPDATE evidence SET mac = NULL WHERE evidence_id = ?', [item.id])
      if (sql) await run(sql)
      await bindOldEvidence(server.app)
      expect(await unbound()).toBeGreaterThan(0)
      expect((await bytesOf(await download(s, item.id))).status).toBe(500)
    })
  })
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`evidence is bound to its row (${engine})`, () => flows(engine))
