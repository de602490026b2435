import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { lockFreeGates } from '../../src/domains/interviews/sessions/sessions.read.service.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld } from '../test-support/world.ts'
import { allIds } from './common.ts'

/** Few to an organisation, whatever it has recorded. */
const few =
  /orgs|org_heads|api_keys|memberships|membership_counts|webhook_endpoints|webhook_subscriptions|audit_checkpoints|retention_rules|sso_connections|audit_witnesses|audit_timestamps/

/** Whether a step of a plan looks at all rows of a table, or at all that an organisation has in it. */
const looksAtAll = (step: string, tables: ReadonlySet<string>): boolean => {
  const scan = /^SCAN (\w+)/.exec(step)
  // What a statement makes itself has a name too.
  if (scan) return tables.has(scan[1]!)
  const search = /^SEARCH \w+ USING .*\(([^()]*)\)$/.exec(step)
  if (!search || few.test(step)) return false
  return search[1]!.split(' AND ').every((term) => /^(org_id|environment)=\?$/.test(term))
}

/** Whose rows a statement asks for, besides the tenant's: without that it is a list, and may look at one end of it. */
const namesOne = (sql: string): boolean => /\b(?!org_id)\w+_(id|hash)\s*(=\s*\?|IN\s*\()/i.test(sql)

describe('the plans of SQLite', () => {
  let server: TestServer | undefined
  afterEach(() => server?.stop())

  it('of every endpoint read what is asked for, never all that an organisation has of it', async () => {
    const preparing = vi.spyOn(Database.prototype, 'prepare')
    server = await startServer({ engine: 'sqlite' })
    const world = await buildWorld(server)
    for (const id of allIds) {
      const answer = await send(server.url, specOf(id), await makeExample(world, id))
      expect(answer.status, `${id} ${answer.text}`).toBeLessThan(400)
    }
    // Only requests that wait at the same time read several.
    const eight = Array.from({ length: 8 }, (_, n) => `ses_${n}`)
    await server.app.db.transact((tx) => lockFreeGates({ tx, reader: tx, scope: world.scope }, eight))
    const prepared = new Set(preparing.mock.calls.map(([sql]) => sql))
    const statements = [...prepared].filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(sql))
    expect(statements.length).toBeGreaterThan(150)
    const { db } = server.app
    const named = await db.reader.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    const tables = new Set(named.map(({ name }) => name))
    const poor: string[] = []
    for (const sql of statements.filter(namesOne)) {
      const params = Array.from({ length: sql.match(/\?/g)?.length ?? 0 }, () => 1)
      const plan = await db.reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)
      for (const { detail } of plan) if (looksAtAll(detail, tables)) poor.push(`${detail}\n    ${sql}`)
    }
    expect(poor).toEqual([])
  })
})
