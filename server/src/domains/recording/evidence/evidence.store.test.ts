import { expect, it } from 'vitest'
import { describeDatabase } from '../../../../test/test-support/databases.ts'
import { migrations } from '../../../migrations/index.ts'
import type { MigratableDb } from '../../../platform/db/dialect.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import { findByBytes, findByClientId, findEvidence, listByPosition, listCounts } from './evidence.store.ts'
import { listHeld } from './held.store.ts'
import { findNeighbours, listByCapture } from './playback.store.ts'
import { listInSpan } from './spans.store.ts'

const scope = { orgId: 'org_a', environment: 'live' } as const
const place = { sessionId: 'ses_a', evidenceType: 'screenshot' } as const
const page = { limit: 20, offset: 100_000 }
const span = {
  sessionId: 'ses_a',
  evidenceTypes: ['screenshot'],
  source: 'screen:d1',
  fromAt: 0,
  untilAt: 60_000,
} as const

/** Answers how SQLite would run a statement instead of its rows. */
const planner = (db: MigratableDb): { reader: Reader; plan: () => string } => {
  let details: string[] = []
  const explain = async (sql: unknown, params: unknown) => {
    const rows = await db.reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${String(sql)}`, params as [])
    details = rows.map(({ detail }) => detail)
    return []
  }
  const reader = { all: explain, get: async (sql: unknown, params: unknown) => (await explain(sql, params))[0] }
  return { reader: reader as Reader, plan: () => details.join('\n') }
}

describeDatabase('sqlite', 'the statements over evidence', (open) => {
  const cases: [string, (reader: Reader) => Promise<unknown>, RegExp][] = [
    ['one object', (r) => findEvidence(r, scope, 'evd_1'), /USING INDEX \S+ \(org_id=\? AND evidence_id=\?\)/],
    ['an item by clientId', (r) => findByClientId(r, scope, place, 'c'), /evidence_client \(.*client_id=\?\)/],
    ['an item by its bytes', (r) => findByBytes(r, scope, place, 'x'), /evidence_bytes \(.*sha256=\?\)/],
    [
      'a far page of all types',
      (r) => listByPosition(r, scope, 'ses_a', undefined, page),
      /evidence_position \(.*session_id=\? AND position>\?\)/,
    ],
    [
      'a far page of one type',
      (r) => listByPosition(r, scope, 'ses_a', 'screenshot', page),
      /evidence_type_position \(.*evidence_type=\? AND type_position>\?\)/,
    ],
    [
      'a page in playback order',
      (r) => listByCapture(r, scope, place, { after: [1, 1, 1], skip: 0, take: 5 }),
      /COVERING INDEX evidence_dated \(.*\(captured_at,sequence,position\)>\(\?,\?,\?\)\)[\s\S]*COVERING INDEX evidence_played/,
    ],
    [
      'the next of a numbered row',
      (r) => findNeighbours(r as Tx, scope, place, 3),
      /evidence_sequence \(.*evidence_type=\? AND sequence>\?\)/,
    ],
    [
      'what is held of a session',
      (r) => listHeld(r, scope, 'ses_a'),
      /USING COVERING INDEX evidence_held \(org_id=\? AND session_id=\?\)/,
    ],
    [
      'what a source recorded in a minute',
      (r) => listInSpan(r, scope, span, { skip: 0, take: 5 }),
      /evidence_dated \(.*evidence_type=\? AND captured_at>\? AND captured_at<\?\)[\s\S]*evidence_played/,
    ],
    ['the counts', (r) => listCounts(r, scope, 'ses_a'), /SEARCH c USING PRIMARY KEY \(org_id=\? AND session_id=\?\)/],
  ]

  it.each(cases)('find %s by an index, without a scan', async (_title, run, index) => {
    const db = await open(migrations)
    const { reader, plan } = planner(db)
    await run(reader)
    expect(plan()).toMatch(index)
    // What was found in the indexes is put into order in memory.
    expect(plan()).not.toMatch(/\bSCAN (?!places)/)
  })

  it('pages over positions sort nothing', async () => {
    const { reader, plan } = planner(await open(migrations))
    await listByPosition(reader, scope, 'ses_a', undefined, page)
    expect(plan()).not.toMatch(/TEMP B-TREE/)
    await listHeld(reader, scope, 'ses_a')
    expect(plan()).not.toMatch(/TEMP B-TREE/)
    await listByPosition(reader, scope, 'ses_a', 'screenshot', page)
    expect(plan()).not.toMatch(/TEMP B-TREE/)
  })
})
