import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evidenceCommands } from '../../../src/app/evidence-commands.ts'
import { type RecordFinding, verifyRecords } from '../../../src/app/verify-records.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import type { Param } from '../../../src/platform/db/types.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  allLanes,
  anEvent,
  aSegment,
  fullConfig,
  registration,
  scheduleSession,
  type WorldSession,
} from '../../test-support/world.ts'

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const run = (sql: string, params: Param[] = []) => server.app.db.transact((tx) => tx.run(sql, params))
  const client = (session: WorldSession) => server.client(session.agent)
  const sendEvents = (session: WorldSession, events: ReturnType<typeof anEvent>[]) =>
    client(session).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
  const sendWords = (
    session: WorldSession,
    ...segments: (Omit<ReturnType<typeof aSegment>, 'text'> & { text: string })[]
  ) => client(session).call('agent.transcript.upsert', { params: { id: session.id }, body: { segments } })

  /** Events in three batches, one of which came twice; words in two, of which the second changes one of the first. */
  const recorded = async (): Promise<WorldSession> => {
    const session = await scheduleSession(server.client(server.orgs[0].sandboxKey), { config: fullConfig })
    await client(session).call('agent.sessions.register', { body: await registration(server, session, allLanes) })
    server.clock.advance(60_000)
    const batch = [anEvent(server, 'display.added', { name: 'Ünï "1"' }), anEvent(server)]
    await sendEvents(session, batch)
    await sendEvents(session, [...batch, anEvent(server)])
    await sendEvents(session, batch)
    await sendEvents(session, [{ ...anEvent(server), source: 'dis\nplays' }])
    await sendWords(session, aSegment(0), aSegment(1), aSegment(2))
    await sendWords(session, { ...aSegment(1), text: 'Other words.' }, aSegment(3))
    await sendWords(session, aSegment(3))
    return session
  }
  /** What is found in this session. */
  const found = async ({ id }: WorldSession) => {
    const findings: RecordFinding[] = []
    await verifyRecords(server.app, server.orgs[0].orgId, (finding) => findings.push(finding))
    return findings.filter(({ sessionId }) => sessionId === id).map(({ fault, number }) => `${fault} ${number}`)
  }
  const of = (session: WorldSession) => [server.orgs[0].orgId, session.id]
  const where = 'WHERE org_id = ? AND session_id = ?'

  it('finds nothing where nobody changed anything, also while more arrives', async () => {
    const session = await recorded()
    expect(await found(session)).toEqual([])
    const [findings] = await Promise.all([
      found(session),
      sendEvents(session, [anEvent(server)]),
      sendWords(session, aSegment(4)),
    ])
    expect(findings).toEqual([])
  })

  it.each([
    ['what an event says', 1, `UPDATE integrity_events SET data = '{"name":"other"}' ${where} AND position = 2`],
    ['when it was observed', 3, `UPDATE integrity_events SET observed_at = observed_at + 1 ${where} AND position = 3`],
    ['when it was received', 4, `UPDATE integrity_events SET received_at = received_at - 1 ${where} AND position = 4`],
    ['that there was one', 1, `DELETE FROM integrity_events ${where} AND position = 1`],
    ['that there was a last one', 4, `DELETE FROM integrity_events ${where} AND position = 4`],
    ['that there is one more', 5, 'INSERT'],
  ])('names the events of which somebody changed %s', async (_what, number, sql) => {
    const session = await recorded()
    if (sql.startsWith('INSERT')) {
      const [row] = await server.app.db.reader.all<Record<string, Param>>(
        `SELECT * FROM integrity_events ${where} AND position = 4`,
        of(session),
      )
      const forged = { ...row, position: 5, event_id: 'obs_forged', client_id: 'client-forged', category_position: 5 }
      const names = Object.keys(forged)
      const marks = names.map(() => '?').join(', ')
      await run(`INSERT INTO integrity_events (${names.join(', ')}) VALUES (${marks})`, Object.values(forged))
    } else await run(sql, of(session))
    expect(await found(session)).toEqual([`events_changed ${number}`])
  })

  it.each([
    ['says something else', 3, `UPDATE transcript_segments SET text = 'No.' ${where} AND change_seq = 3`],
    ['is of somebody else', 5, `UPDATE transcript_segments SET speaker = 'interviewer' ${where} AND change_seq = 5`],
    ['is gone', 1, `DELETE FROM transcript_segments ${where} AND change_seq = 1`],
    [
      'is what it was before it changed',
      2,
      `UPDATE transcript_segments SET text = 'Sentence 1.', change_seq = 2 ${where} AND change_seq = 4`,
    ],
    ['has another number', 9, `UPDATE transcript_segments SET change_seq = 9 ${where} AND change_seq = 5`],
  ])('names the words of which a sentence %s', async (_what, number, sql) => {
    const session = await recorded()
    await run(sql, of(session))
    expect(await found(session)).toEqual([`words_changed ${number}`])
  })

  it('names words whose commitment was taken away', async () => {
    const session = await recorded()
    const ofWords = `SELECT seq FROM audit_log ${where} AND action = 'session.transcript_changed'`
    await run(`DELETE FROM audit_payloads WHERE org_id = ? AND seq IN (${ofWords})`, [of(session)[0]!, ...of(session)])
    expect(await found(session)).toEqual(['words_changed 1'])
  })

  it('asks nothing of a session that was erased, and no longer knows what was said', async () => {
    const session = await recorded()
    await client(session).call('agent.sessions.end', { params: { id: session.id }, body: {} })
    await server.client(server.orgs[0].sandboxKey).call('sessions.erase', { params: { id: session.id } })
    expect(await found(session)).toEqual([])
    const kept = await server.app.db.reader.all<{ payload: string }>(
      `SELECT p.payload FROM audit_log a JOIN audit_payloads p ON p.org_id = a.org_id AND p.seq = a.seq
       WHERE a.org_id = ? AND a.session_id = ? AND a.action = 'session.transcript_changed'`,
      of(session),
    )
    expect(kept).toEqual([])
  })

  it('is told by the operator’s program', async () => {
    const session = await recorded()
    const lines: string[] = []
    const call = { app: server.app, env: {}, print: (line: string) => void lines.push(line), secret: async () => '' }
    await run(`UPDATE integrity_events SET kind = 'display.removed' ${where} AND position = 1`, of(session))
    expect(await evidenceCommands['evidence verify']!(call, [])).toBe(1)
    expect(lines.join('\n')).toContain(
      `${session.id}: its events are not those that the audit trail says were received, from number 1 on (events_changed)`,
    )
  })
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`events and words are bound to the audit trail (${engine})`, () => flows(engine))
