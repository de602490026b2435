import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@integrity/client/every-endpoint'
import Database from 'better-sqlite3'
import { LocalStore } from '../src/platform/storage/local.store.ts'
import { type Bench, type BenchServer, memberCookie, noCeilings, seconds, startBenchServer } from './harness.ts'

const sessions = 10
const ofSession = 500
const goal = 500
const dayMs = 86_400_000

/** Ended sessions that have long been due, each object a file of its own. */
const fill = async (server: BenchServer): Promise<void> => {
  const root = join(server.dataDir, 'objects')
  mkdirSync(root, { recursive: true })
  const store = new LocalStore(root)
  const database = new Database(join(server.dataDir, 'database.sqlite'))
  const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
  const endedAt = Date.now() - 100 * dayMs
  const statements = [
    `INSERT INTO objects (org_id, object_id, provider, store_key, header, size_bytes, sha256, refs, created_at)
     VALUES (@org, @object, 'local', @key, 'header', 4096, @object, 1, 0)`,
    `INSERT INTO evidence (org_id, evidence_id, environment, session_id, evidence_type, position, type_position, client_id,
       object_id, size_bytes, sha256, content_type, captured_at, metadata, created_at)
     VALUES (@org, @object, 'sandbox', @session, 'screenshot', @n, @n, @object, @object, 4096, @object, 'image/webp', @n, '{}', 0)`,
  ].map((sql) => database.prepare(sql))
  for (let s = 0; s < sessions; s++) {
    const { data } = await api.call('sessions.create', { body: {} })
    await api.call('sessions.end', { params: { id: data.id } })
    const rows = Array.from({ length: ofSession }, (_, n) => {
      const object = `obj_bench${s}_${n}`
      return { org: server.orgId, session: data.id, object, key: `${server.orgId}/${object}`, n: n + 1 }
    })
    for (let n = 0; n < rows.length; n += 50) await Promise.all(rows.slice(n, n + 50).map(({ key }) => put(store, key)))
    database.transaction(() => {
      for (const row of rows) for (const statement of statements) statement.run(row)
      database
        .prepare("INSERT INTO evidence_counts VALUES (?, ?, 'screenshot', ?, ?, 0)")
        .run(server.orgId, data.id, ofSession, ofSession * 4096)
      database
        .prepare('INSERT INTO evidence_totals VALUES (?, ?, ?, ?, ?)')
        .run(server.orgId, data.id, ofSession, ofSession, ofSession * 4096)
      database
        .prepare('UPDATE session_windows SET ended_at = ?, told_until = ? WHERE session_id = ?')
        .run(endedAt, endedAt + 90 * dayMs, data.id)
    })()
  }
  database.close()
}

const put = (store: LocalStore, key: string) => store.put(key, bytes(), { size: 4096 })
async function* bytes(): AsyncGenerator<Buffer> {
  yield randomBytes(4096)
}

const filesOf = (server: BenchServer): number =>
  readdirSync(join(server.dataDir, 'objects', 'objects'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length

/** Call after call, until nothing is due any more. */
const sweep = async (server: BenchServer, cookie: string): Promise<number> => {
  const api = createClient({ baseUrl: server.url })
  const params = { orgId: server.orgId }
  let erased = 0
  for (;;) {
    const { data } = await api.call('portal.retention.run', { params, headers: { cookie }, body: {} })
    erased += data.erasedObjects
    if (data.state === 'completed') return erased
  }
}

export const sweepBench: Bench = {
  name: 'A retention sweep',
  what: `${sessions} sessions of ${ofSession} objects that are due, each object a file of 4 KiB. \`POST …/retention/run\`, 500 objects a call, until nothing is due; then until the last file is gone. Local files, SQLite.`,
  async run() {
    const server = await startBenchServer(noCeilings)
    try {
      await fill(server)
      const cookie = await memberCookie(server)
      let erased = 0
      const keys = await seconds(async () => {
        erased = await sweep(server, cookie)
      })
      const rest = await seconds(async () => {
        while (filesOf(server) > 0) await delay(20)
      })
      const perSecond = Math.round(erased / (keys + rest))
      const show = (n: number) => `${n.toLocaleString('en')} objects a second`
      return [
        { name: 'their keys destroyed', value: show(Math.round(erased / keys)) },
        {
          name: 'their keys and then their bytes gone',
          value: show(perSecond),
          goal: `≥ ${goal} a second`,
          met: perSecond >= goal && erased === sessions * ofSession,
        },
      ]
    } finally {
      await server.stop()
    }
  },
}
