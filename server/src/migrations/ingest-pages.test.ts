import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freshDatabase } from '../../test/test-support/databases.ts'
import { appendEvents } from '../domains/interviews/integrity-events/integrity-events.store.ts'
import { addOrg } from '../kernel/audit/audit.test-support.ts'
import { createAudit } from '../kernel/audit/audit.ts'
import { system } from '../kernel/identity/actor.ts'
import { createKeyring } from '../platform/crypto/keyring.ts'
import { migrateUp } from '../platform/db/migrate.ts'
import { openSqlite } from '../platform/db/sqlite/sqlite.db.ts'
import { createIds } from '../platform/ids.ts'
import { createManualClock } from '../platform/manual-clock.test-support.ts'
import { migrations } from './index.ts'

const sessions = 16
const warm = 150
const measured = 30

/** Bytes that a commit writes in which each of 16 sessions, of so many organisations, gets one event with its audit row. */
const bytesOfCommit = async (orgs: number): Promise<number> => {
  const database = await freshDatabase('sqlite')
  // The log is never copied, so that its length says what was written.
  const db = openSqlite({ file: database.file, checkpoint: { afterGroups: 1e9, intervalMs: 1e9 } })
  try {
    await migrateUp(db, migrations)
    const clock = createManualClock(1_763_640_000_000)
    const newId = createIds(() => clock.now())
    const audit = createAudit({ clock, keyring: createKeyring(randomBytes(32)) })
    const all = Array.from({ length: sessions }, (_, n) => ({ orgId: `org_${n % orgs}`, sessionId: newId('ses') }))
    for (let n = 0; n < orgs; n++) await addOrg(db, `org_${n}`)
    const commit = (after: number) =>
      db.transact(async (tx) => {
        clock.advance(1)
        for (const { orgId, sessionId } of all) {
          const scope = { orgId, environment: 'live' } as const
          const event = { kind: 'foreground.changed', source: 'foreground', data: '{"value":"Terminal"}' }
          const row = { ...event, id: newId('obs'), clientId: newId('c'), monotonicMs: 1 }
          const rows = [{ ...row, observedAt: clock.now(), receivedAt: clock.now() }]
          await appendEvents(tx, scope, [
            { sessionId, rows, after: { eventCount: after, observationCount: after, eventBytes: 0 } },
          ])
          const entry = { action: 'session.events_received', target: `${sessionId}#${after}`, sessionId } as const
          await audit.append({ tx, scope, actor: system }, entry)
        }
      })
    for (let n = 0; n < warm; n++) await commit(n)
    const length = () => statSync(`${database.file}-wal`).size
    const before = length()
    for (let n = 0; n < measured; n++) await commit(warm + n)
    return (length() - before) / measured
  } finally {
    await db.close()
    await database.drop()
  }
}

it('a commit for sixteen organisations writes little more than one for a single organisation', async () => {
  const [one, many] = [await bytesOfCommit(1), await bytesOfCommit(16)]
  expect(many / one).toBeLessThan(1.7)
})
