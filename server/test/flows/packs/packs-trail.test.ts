import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditCommands } from '../../../src/app/audit-commands.ts'
import { evidenceCommands } from '../../../src/app/evidence-commands.ts'
import { captureChainOf } from '../../../src/domains/recording/evidence/evidence.chain.service.ts'
import { TreeHashes } from '../../../src/kernel/audit/audit.tree.ts'
import { auditOf, buildCaptureSession, type CaptureSession, keyClient } from '../../test-support/capture-session.ts'
import { captureSigner } from '../../test-support/capture-signer.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { allLanes, registration } from '../../test-support/world.ts'
import { bundleOf, download, fetchBytes, keyOf, sealed, sealOf, verdictOf } from '../bundles/bundles.test-support.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { scopeOf } from '../evidence/evidence.test-support.ts'
import { trailOf } from './packs.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what is said of a pack (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const reads = (s: CaptureSession) => ({ ...server.app, reader: server.app.db.reader, scope: scopeOf(s) })
    const three = async () => [
      await packedStill(server),
      packedSound(server, { sequence: 0 }),
      await packedStill(server),
    ]
    const { told: found } = trailOf(() => server)

    it('is one audit row, which commits to every item under one root', async () => {
      const s = await buildCaptureSession(server)
      const before = (await auditOf(server, s)).length
      const items = (await sendPack(s, await three())).map(({ evidence }) => evidence!)
      const rows = (await auditOf(server, s)).slice(before)
      expect(rows).toHaveLength(1)
      const tree = new TreeHashes()
      for (const { id, evidenceType, sizeBytes, sha256 } of items.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        tree.add(Buffer.from(`${id} ${evidenceType} ${sizeBytes} ${sha256}`))
      expect(rows[0]).toMatchObject({
        action: 'evidence.pack_stored',
        target: expect.stringMatching(/^pck_/),
        payload: { items: 3, root: tree.root().toString('hex') },
      })
      const { records } = rows[0]!.payload as { records: Record<string, string> }
      const named = items.flatMap(({ id }) => [`evidence ${id}`, `evidence_said ${id}`])
      expect(Object.keys(records).toSorted()).toEqual(named.toSorted())
      expect(await found(auditCommands, 'audit verify', s)).toEqual([])
    })

    it('is held against the rows: one that is removed, changed or added is named', async () => {
      const s = await buildCaptureSession(server)
      const [a, b] = (await sendPack(s, await three())).map(({ evidence }) => evidence!)
      const run = (sql: string, id: string) => server.app.db.transact((tx) => tx.run(sql, [id]))
      await run('DELETE FROM evidence WHERE evidence_id = ?', a!.id)
      await run("UPDATE evidence SET client_id = 'another-item' WHERE evidence_id = ?", b!.id)
      const faults = await found(auditCommands, 'audit verify', s)
      expect(faults.toSorted()).toEqual(
        [`removed evidence ${a!.id}`, `record_changed evidence_said ${b!.id}`].toSorted(),
      )
      expect(await found(evidenceCommands, 'evidence verify', s)).toEqual(expect.arrayContaining(faults))
    })

    it('is one event that names all of them; an upload of one is told as before, too', async () => {
      const s = await buildCaptureSession(server)
      const items = (await sendPack(s, await three())).map(({ evidence }) => evidence!)
      const [one] = await sendPack(s, [await packedStill(server)])
      const { data } = await keyClient(server, s).call('events.list', {
        query: { types: 'evidence.ready', sessionId: s.id },
      })
      const byTime = data.items.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((event) => event.data)
      const told = ({ id, evidenceType, sizeBytes, capturedAt }: (typeof items)[number]) =>
        expect.objectContaining({ id, evidenceType, sizeBytes, capturedAt })
      expect(byTime).toEqual([
        { session: expect.objectContaining({ id: s.id }), items: items.map(told) },
        {
          session: expect.objectContaining({ id: s.id }),
          items: [told(one!.evidence!)],
          evidence: told(one!.evidence!),
        },
      ])
    })

    it('is counted by type, in the session and in what the organisation keeps', async () => {
      // Of an organisation that nothing else here is of.
      const s = await buildCaptureSession(server, { org: 1 })
      const sent = await three()
      await sendPack(s, sent)
      const rows = await server.app.db.reader.all(
        `SELECT evidence_type AS type, objects, size_bytes AS bytes FROM evidence_counts WHERE session_id = ? ORDER BY evidence_type`,
        [s.id],
      )
      const bytes = sent.map(({ body }) => body.length)
      expect(rows).toEqual([
        { type: 'audio_chunk', objects: 1, bytes: bytes[1] },
        { type: 'screenshot', objects: 2, bytes: bytes[0]! + bytes[2]! },
      ])
      expect(
        await server.app.db.reader.get(
          'SELECT objects, kept_objects AS kept, size_bytes AS bytes FROM evidence_totals WHERE session_id = ?',
          [s.id],
        ),
      ).toEqual({ objects: 3, kept: 3, bytes: bytes.reduce((sum, one) => sum + one) })
      const counted = await server.app.db.reader.all(
        `SELECT evidence_type AS type, added_objects AS objects, added_bytes AS bytes FROM evidence_usage
         WHERE org_id = ? AND day = -1 ORDER BY evidence_type`,
        [s.orgId],
      )
      const scanned = await server.app.db.reader.all(
        `SELECT evidence_type AS type, count(*) AS objects, SUM(size_bytes) AS bytes FROM evidence
         WHERE org_id = ? GROUP BY evidence_type ORDER BY evidence_type`,
        [s.orgId],
      )
      expect(counted).toEqual(scanned)
    })

    it('keeps the machine’s chain whole, and says where a signature does not fit', async () => {
      const s = await buildCaptureSession(server, { registered: false })
      const signer = captureSigner(s.id)
      const agreed = await registration(server, { id: s.id, agent: s.token } as never, allLanes)
      const captureKey = signer.registration(agreed.consent.documentHash)
      await s.agent.call('agent.sessions.register', { body: { ...agreed, captureKey } })
      const sent = []
      for (let n = 0; n < 4; n++) {
        const { head, body } = await packedStill(server)
        const captureSignature = signer.item(head as never)
        sent.push({ head: { ...head, captureSignature }, body })
      }
      sent[2] = { ...sent[2]!, head: { ...sent[2]!.head, captureSignature: sent[1]!.head.captureSignature } }
      const items = await sendPack(s, sent)
      expect(items.map(({ evidence }) => evidence!.captureSignature?.verified)).toEqual([true, true, false, true])
      expect(await captureChainOf(reads(s), s.id)).toMatchObject({ signedItems: 3, notVerifiedItems: 1 })
    })

    it('puts sound in the order of its numbers, whatever the order of the frames', async () => {
      const s = await buildCaptureSession(server)
      const at = (ms: number) => ({ startedAt: new Date(server.clock.now() - 60_000 + ms).toISOString() })
      const sent = [
        packedSound(server, { sequence: 2, ...at(20_000) }),
        packedSound(server, { sequence: 0, ...at(0) }),
        // Its clock was put back: it is played behind the one numbered before it.
        packedSound(server, { sequence: 1, ...at(-30_000) }),
      ]
      await sendPack(s, sent)
      const { items } = await asMember(server, 'portal.audioChunks.list', { params: { id: s.id }, query: {} })
      expect(items.map(({ metadata }) => metadata['sequence'])).toEqual([0, 1, 2])
    })

    it('is in the bundle item by item, which a program of another language finds whole', async () => {
      const s = await buildCaptureSession(server, { environment: 'sandbox' })
      const sent = await three()
      const items = (await sendPack(s, sent)).map(({ evidence }) => evidence!)
      await s.api.call('sessions.end', { params: { id: s.id } })
      const { bytes } = await download(server, s)
      const args = ['--key', keyOf(server)]
      expect(await verdictOf(bytes, args)).toMatchObject({ code: 0, faults: [] })
      // Whoever has the key to the seal can say other things of an item, and not of what the chain committed to.
      const other = sealed(sealOf(server), await bundleOf(server, s), (part) =>
        part['evidence'] && (part['evidence'] as { id: string }).id === items[1]!.id
          ? { ...part, evidence: { ...part['evidence'], evidenceType: 'system_audio_chunk' } }
          : part,
      )
      expect((await verdictOf(other, args)).faults).toContain('evidence_not_as_stored')
      const members = await bundleOf(server, s)
      for (const [n, { id }] of items.entries()) {
        const [, inside] = [...members].find(([path]) => path.startsWith('evidence/') && path.includes(id))!
        expect(inside.equals(sent[n]!.body)).toBe(true)
      }
    })

    it('is sealed to own recipients item by item', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'pack-recipients-'))
      const made = execFileSync('age-keygen', { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
      const identity = join(folder, 'identity.txt')
      writeFileSync(identity, made, { mode: 0o600 })
      const recipient = execFileSync('age-keygen', ['-y', identity]).toString().trim()
      const params = { orgId: server.orgs[0].orgId }
      await asMember(server, 'portal.recipients.add', { params, body: { recipient, label: 'Key of the safe' } })
      const s = await buildCaptureSession(server)
      const sent = await three()
      for (const [n, { evidence }] of (await sendPack(s, sent)).entries()) {
        const headers = { authorization: `Bearer ${server.orgs[0].sandboxKey}` }
        const file = await fetchBytes(server, 'evidence.sealed', { params: { id: evidence!.id }, headers })
        const opened = execFileSync('age', ['-d', '-i', identity], { input: file.bytes })
        expect(opened.equals(sent[n]!.body)).toBe(true)
      }
      rmSync(folder, { recursive: true })
    })
  })
