import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import type { WorldSession } from '../../test-support/world.ts'
import { unzip } from '../../test-support/zips.ts'
import { bundleOf, download, interview, keyOf, manifestIn, verdictOf } from './bundles.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`portal.sessions.bundle (${engine})`, () => {
    let server: TestServer
    let session: WorldSession

    beforeAll(async () => {
      server = await startServer({ engine })
      session = await interview(server)
    })
    afterAll(() => server.stop())

    it('holds every part, and a program of another language finds that it holds', async () => {
      const { status, bytes, headers } = await download(server, session)
      expect(status, bytes.toString('utf8', 0, 500)).toBe(200)
      expect(headers['content-length']).toBe(String(bytes.length))
      const members = unzip(bytes)
      expect([...members.keys()].filter((path) => !path.startsWith('evidence/'))).toEqual([
        ...['manifest.jsonl', 'seal.txt', 'session.json', 'consents.json', 'coverage.json', 'events.jsonl'],
        ...[
          'transcript.jsonl',
          'statements.jsonl',
          'evidence.jsonl',
          'capture-chain.json',
          'reports/report-1.json',
          'reports/sign-offs.json',
          'records.jsonl',
          'audit.jsonl',
        ],
        ...['audit-checkpoint.txt', 'verifier-key.txt', 'play.html', 'play.js'],
      ])
      expect(manifestIn(members).filter(({ kind }) => kind === 'evidence')).toHaveLength(3)
      const verdict = await verdictOf(bytes, ['--key', keyOf(server)])
      expect(verdict.text).toContain('what is there holds')
      expect(verdict).toMatchObject({ code: 0, faults: [] })
    })

    it('is built once: any range of it is the same bytes, until something changes', async () => {
      const { bytes, headers } = await download(server, session)
      const middle = Math.floor(bytes.length / 2)
      for (const [start, end] of [
        [0, 40],
        [middle, middle + 900],
        [bytes.length - 30, bytes.length],
      ] as const) {
        const range = { range: `bytes=${start}-${end - 1}`, 'if-range': String(headers['etag']) }
        const part = await download(server, session, { headers: range })
        expect(part.status).toBe(206)
        expect(part.bytes.equals(bytes.subarray(start, end))).toBe(true)
      }
    })

    it('is taken away after a week, and built anew for whoever asks then', async () => {
      await bundleOf(server, session)
      const kept = () =>
        server.app.db.reader.all<{ key: string }>('SELECT store_key AS "key" FROM bundles WHERE session_id = ?', [
          session.id,
        ])
      const [{ key }] = (await kept()) as [{ key: string }]
      server.clock.advance(7 * 86_400_000)
      await server.processAll()
      expect(await kept()).toEqual([])
      expect(await server.app.store.exists(key)).toBe(false)
      expect((await bundleOf(server, session)).size).toBeGreaterThan(12)
    })

    it('shows what was erased as left out, and keeps nothing of it', async () => {
      const own = await interview(server)
      await bundleOf(server, own)
      await server.client(server.orgs[0].sandboxKey).call('sessions.erase', { params: { id: own.id } })
      const rows = await server.app.db.reader.all('SELECT * FROM bundles WHERE session_id = ?', [own.id])
      expect(rows).toEqual([])
      const members = await bundleOf(server, own)
      expect(manifestIn(members).filter(({ leftOut }) => leftOut === 'erased')).toHaveLength(3)
      expect([...members.keys()].some((path) => path.startsWith('evidence/'))).toBe(false)
      expect(await verdictOf(members, ['--key', keyOf(server)])).toMatchObject({ code: 0, faults: [] })
    })
  })
