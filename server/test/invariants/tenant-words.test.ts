import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SqliteReaders } from '../../src/platform/db/sqlite/sqlite.readers.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld } from '../test-support/world.ts'
import { allIds } from './common.ts'

/** Statements that name no organisation, and why. */
const ofNoOrganisation: readonly (readonly [string, RegExp])[] = [
  ['a secret is looked up before it is known whose it is', /\b(?:token|code|state|key)_hash = \?/],
  ["a person's own memberships, and what they lead to", /\bmemberships\b.* (?:m\.)?user_id = \?/],
  ['who asks for an organisation has none yet', /\baccess_requests\b/],
  ['an address leads to the organisation that proved its domain', /\bsso_verified_domains\b.*\bdomain = \?/],
  [
    "a session's id in an address that was sent leads to its organisation",
    /^SELECT org_id AS "orgId", environment FROM sessions WHERE session_id = \?$/,
  ],
  [
    'what is due is found for all, and its row says whose it is',
    /^SELECT (?:DISTINCT )?(?:\w+\.)?org_id AS "orgId".* LIMIT (?:\?|1)$/,
  ],
  ['what is over is deleted for all', /^DELETE FROM \w+ WHERE [\w(), ]+ IN \( ?SELECT .* LIMIT \?\)$/],
  ['jobs of all are claimed by one queue', /\bFROM jobs WHERE state = 'queued'/],
  ["a provider's own number leads to whose subscription it is", /\bpayment_subscriptions\b.* subscription_id = \?$/],
  ['links are counted for a person, whoever had them sent', /^SELECT count\(\*\) AS n FROM vouching_links\b/],
  ['a name in a path leads to its organisation', /\borg_slugs\b.*\bskeleton = \?/],
]

/** Statements that name no environment where their tables have one, and why. */
const ofBothEnvironments: readonly (readonly [string, RegExp])[] = [
  ['members see both, and a path may lead to either: that is what is asked', /^SELECT environment\b/],
  ['members manage the keys of both', /\b(?:FROM|UPDATE) api_keys\b/],
  ['members review the sessions of both', /\b(?:FROM|UPDATE) review(?:s|_counts)\b/],
  [
    'and read beside each what its candidate asked for and when it is deleted',
    /\bFROM (?:candidate_requests r|session_windows w) WHERE \w\.org_id = \? AND \w\.session_id IN \(/,
  ],
  [
    'what is over leaves the log of an endpoint, which is of one environment',
    /\bwebhook_deliveries\b.*\bendpoint_id = \?.* ORDER BY position LIMIT \?/,
  ],
  [
    'what the audit trail commits to is read within a session of one',
    /\bFROM interviewers WHERE org_id = \? AND session_id\b/,
  ],
  ['members are told of chat messages of both', /\bFROM chat_deliveries\b/],
  ['notes are counted within a session that was found in its environment', /^SELECT position AS n FROM notes\b/],
  ['the rules of retention and its forecast are for both', /\bevidence_totals\b.*\bsize_bytes\b/],
  [
    'the timeline is read within a session that was found in its environment',
    /'screenshot'|AS of_speech|^SELECT evidence_type AS kind, captured_at AS at\b/,
  ],
  [
    'places are counted within a session that was found in its environment',
    /^SELECT count\(\*\) AS counted FROM \(SELECT captured_at AS at, sequence, position FROM evidence\b/,
  ],
  ['the account is read within a session that was found in its environment', /^SELECT source, evidence_type\b/],
  [
    'numbers are compared within a session that was found in its environment',
    /^SELECT sequence, COALESCE\(played_at\b/,
  ],
  [
    'statements are counted within a session that was found in its environment',
    /\bFROM candidate_requests r .*'context_statement'/,
  ],
  [
    'what the trail commits to is read of a session that was found in its environment',
    /^SELECT (?:legal_hold AS held FROM sessions|revision, environment, document|n\.note_id .*n\.environment|request_id AS id, environment)\b/,
  ],
  [
    'so is its evidence, in the order of storing',
    /^SELECT evidence_id AS id, session_id .* FROM evidence WHERE org_id = \? AND session_id = \? AND position > \? ORDER BY position LIMIT \?$/,
  ],
  ['what is on its way into the store of an organisation is of both', /^SELECT store_key AS key FROM uploads\b/],
  ['an example looks for a secret where its message waits', /^SELECT payload FROM jobs\b/],
  ['a job is held by the name of its claim', /^UPDATE jobs\b.* lease_owner = \?/],
]

const isExempt = (sql: string, exemptions: readonly (readonly [string, RegExp])[]): boolean =>
  exemptions.some(([, pattern]) => pattern.test(sql))

describe('the statements of every endpoint', () => {
  let server: TestServer | undefined
  afterEach(() => {
    vi.restoreAllMocks()
    return server?.stop()
  })

  it('name the organisation and the environment of the rows that they touch', async () => {
    const preparing = vi.spyOn(Database.prototype, 'prepare')
    const reading = vi.spyOn(SqliteReaders.prototype, 'read')
    server = await startServer({ engine: 'sqlite' })
    const world = await buildWorld(server)
    for (const id of allIds) {
      const answer = await send(server.url, specOf(id), await makeExample(world, id))
      expect(answer.status, `${id} ${answer.text}`).toBeLessThan(400)
    }
    const prepared = preparing.mock.calls.map(([sql]) => sql)
    const read = reading.mock.calls.flatMap(([, job]) => ('sql' in job ? [job.sql] : []))
    const texts = new Set([...prepared, ...read].map((sql) => sql.replaceAll(/\s+/g, ' ').trim()))
    const columns = await server.app.db.reader.all<{ name: string; environment: number }>(
      `SELECT m.name, max(c.name = 'environment') AS environment FROM sqlite_schema m, pragma_table_info(m.name) c
       WHERE m.type = 'table' GROUP BY m.name HAVING max(c.name = 'org_id') = 1`,
    )
    const hasEnvironment = new Map(columns.map(({ name, environment }) => [name, environment === 1]))
    const touched = (sql: string): string[] =>
      [...sql.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)/g)].map(([, name]) => name!)
    const ofTenants = [...texts].filter(
      (sql) =>
        /^(?:SELECT|UPDATE|DELETE|WITH)\b.*\?/.test(sql) && touched(sql).some((name) => hasEnvironment.has(name)),
    )
    expect(ofTenants.length).toBeGreaterThan(250)
    const withoutOrg = ofTenants.filter((sql) => !/\borg_id (?:= \?|IN \()/.test(sql))
    expect(withoutOrg.filter((sql) => !isExempt(sql, ofNoOrganisation))).toEqual([])
    const withoutEnvironment = ofTenants.filter(
      (sql) =>
        !withoutOrg.includes(sql) &&
        touched(sql).some((name) => hasEnvironment.get(name)) &&
        !/\benvironment (?:= \?|IN \()/.test(sql),
    )
    expect(withoutEnvironment.filter((sql) => !isExempt(sql, ofBothEnvironments))).toEqual([])
    for (const [why, pattern] of ofNoOrganisation)
      expect(
        withoutOrg.some((sql) => pattern.test(sql)),
        why,
      ).toBe(true)
    for (const [why, pattern] of ofBothEnvironments)
      expect(
        withoutEnvironment.some((sql) => pattern.test(sql)),
        why,
      ).toBe(true)
  })
})
