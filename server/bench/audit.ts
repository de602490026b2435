import { hash } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type AuditRow, genesisHash, rowHash } from '../src/kernel/audit/audit.chain.ts'
import { createChainSeal, type HeadState } from '../src/kernel/audit/audit.seal.ts'
import { rowColumnsWithPayload, rowsWithPayload } from '../src/kernel/audit/audit.verify.store.ts'
import { openRoot } from '../src/kernel/root-key.ts'
import { loadMasterKey } from '../src/platform/crypto/master-key.ts'
import { openSqlite } from '../src/platform/db/sqlite.db.ts'
import {
  type Bench,
  type BenchServer,
  compared,
  type Figure,
  median,
  memberCookie,
  noCeilings,
  residentMiB,
  seconds,
  startBenchServer,
} from './harness.ts'

const rows = 1_000_000
const looks = 3
/** As the service reads. */
const page = 500

const openFile = (server: BenchServer) => new Database(join(server.dataDir, 'database.sqlite'))

/** What seals this server's chains. */
const sealOf = async ({ dataDir }: BenchServer) => {
  const db = openSqlite({ file: join(dataDir, 'database.sqlite') })
  try {
    return createChainSeal(await openRoot(db, await loadMasterKey({ keyFile: join(dataDir, 'master.key') })))
  } finally {
    await db.close()
  }
}

/** The chain goes on for a million rows, as events come in. */
const fill = async (server: BenchServer): Promise<void> => {
  const seal = await sealOf(server)
  const database = openFile(server)
  const head = database.prepare(
    'SELECT audit_seq AS seq, audit_hash AS hash, audit_signed AS signed FROM org_heads WHERE org_id = ?',
  )
  let {
    seq,
    hash: prevHash,
    signed,
  } = { seq: 0, hash: genesisHash, signed: 0, ...(head.get(server.orgId) ?? {}) } as HeadState
  const insert = database.prepare(`INSERT INTO audit_log VALUES (${Array.from({ length: 11 }, () => '?').join(', ')})`)
  database.transaction(() => {
    for (const end = seq + rows; seq < end; ) {
      seq += 1
      const at = Date.now() + seq
      const actor = { kind: 'agent', id: `ajt_${seq % 500}` }
      const [action, target, sessionId] = ['session.events_received', `evt_${seq}`, `ses_${seq % 500}`] as const
      const row: AuditRow = {
        ...{ orgId: server.orgId, seq, at: new Date(at).toISOString(), actor, action, target, sessionId },
        ...{ payloadHash: null, prevHash },
      }
      const hash = rowHash(row)
      insert.run([server.orgId, seq, at, actor.kind, actor.id, action, target, sessionId, null, prevHash, hash])
      prevHash = hash
    }
    const { mac } = seal.seal(server.orgId, { seq, hash: prevHash, signed })
    database
      .prepare('UPDATE org_heads SET audit_seq = ?, audit_hash = ?, audit_mac = ? WHERE org_id = ?')
      .run([seq, prevHash, mac, server.orgId])
  })()
  database.close()
}

/** The same rows with one SHA-256 for each, a page at a time, in a process that does nothing else. */
const bareLoop = (server: BenchServer): number => {
  const database = openFile(server)
  const read = database.prepare(
    `SELECT ${rowColumnsWithPayload} FROM ${rowsWithPayload} WHERE a.org_id = ? AND a.seq > ? ORDER BY a.seq LIMIT ?`,
  )
  let last = 0
  for (;;) {
    const found = read.all([server.orgId, last, page]) as { seq: number; prevHash: string; target: string }[]
    for (const row of found) hash('sha256', `${row.prevHash}${row.target}`, 'hex')
    last = found.at(-1)?.seq ?? last
    if (found.length < page) break
  }
  database.close()
  return last
}

export const audit: Bench = {
  name: 'An audit trail of a million rows',
  what: 'Through HTTP, against reading the same rows from the same file in a bare loop of pages with one SHA-256 for each. The export comes in parts of 100,000.',
  async run(): Promise<Figure[]> {
    const server = await startBenchServer(noCeilings, '0,1')
    try {
      await fill(server)
      const headers = { cookie: await memberCookie(server) }
      const path = `${server.url}/v1/orgs/${server.orgId}/audit-logs`
      const verify = async () => {
        const { data } = (await (await fetch(`${path}/verify`, { headers })).json()) as {
          data: { ok: boolean; rows: number }
        }
        if (!data.ok || data.rows < rows) throw new Error(`verified ${JSON.stringify(data)}`)
      }
      const exportAll = async () => {
        let after: string | null = '0'
        while (after !== null) {
          const answer: Response = await fetch(`${path}/export?limit=100000&afterSeq=${after}`, { headers })
          for await (const _ of answer.body ?? []);
          after = answer.headers.get('x-service-next-after-seq')
        }
      }
      const memory: number[] = []
      const times = { bare: [] as number[], verify: [] as number[], export: [] as number[] }
      for (let n = 0; n < looks; n += 1) {
        times.bare.push(await seconds(() => bareLoop(server)))
        const timer = setInterval(() => memory.push(residentMiB(server.pid)), 100)
        times.verify.push(await seconds(verify))
        clearInterval(timer)
        times.export.push(await seconds(exportAll))
      }
      const bare = rows / median(times.bare)
      const half = Math.floor(memory.length / 2)
      return [
        compared('rows verified', rows / median(times.verify), bare, 'rows/s', { atLeast: 0.8 }),
        compared('rows exported', rows / median(times.export), bare, 'rows/s', { atLeast: 0.5 }),
        compared(
          'memory while verifying, the second half against the first',
          Math.max(...memory.slice(half)),
          Math.max(...memory.slice(0, half)),
          'MiB',
          { atMost: 1.2 },
        ),
      ]
    } finally {
      await server.stop()
    }
  },
}
