import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditCommands } from '../../../src/app/audit-commands.ts'
import { evidenceCommands } from '../../../src/app/evidence-commands.ts'
import { recordKinds } from '../../../src/kernel/audit/audit.commitments.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import type { Param } from '../../../src/platform/db/types.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bundleOf, keyOf, verdictOf } from '../bundles/bundles.test-support.ts'
import { alterations, readSession } from './tampered-records.test-support.ts'

interface Told {
  readonly sessionId: string
  readonly fault: string
  readonly record?: string
}

const flows = (engine: Engine) => {
  let server: TestServer
  const run = (sql: string, params: Param[] = []) => server.app.db.transact((tx) => tx.run(sql, params))
  /** With the organisation and the session where the statement names them. */
  const alter = async (sql: string, sessionId: string): Promise<void> => {
    const params = [...sql.matchAll(/\?([12])/g)].map(([, n]) => (n === '1' ? server.orgs[0].orgId : sessionId))
    await run(sql.replaceAll(/\?[12]/g, '?'), params)
  }

  beforeAll(async () => {
    server = await startServer({ engine })
    for (const table of ['notes', 'legal_holds', 'report_revisions', 'report_staleness'])
      if (engine === 'postgres') await run(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
      else for (const name of ['delete', 'update']) await run(`DROP TRIGGER ${table}_no_${name}`)
  })
  afterAll(() => server.stop())

  const nameOf = ({ fault, record = '' }: Told): string => `${fault} ${record.split(' ', 1)[0]}`
  /** What an operator's program says of each session, but of rows of evidence that are not what was written. */
  const foundBy = async (commands: typeof auditCommands, name: string) => {
    const lines: string[] = []
    const call = { app: server.app, env: {}, print: (line: string) => void lines.push(line), secret: async () => '' }
    const code = await commands[name]!(call, ['--json', '--org', server.orgs[0].orgId])
    const said = lines.map((line) => JSON.parse(line) as Told | { records: { findings: Told[] } })
    const found = said.flatMap((line) =>
      'records' in line ? line.records.findings : 'record' in line && line.record !== undefined ? [line] : [],
    )
    const namesOf = (id: string) => [...new Set(found.filter(({ sessionId }) => sessionId === id).map(nameOf))].sort()
    return { code, namesOf }
  }
  const foundByBoth = async () => [
    await foundBy(auditCommands, 'audit verify'),
    await foundBy(evidenceCommands, 'evidence verify'),
  ]
  const inBundle = async (id: string, query = {}) => {
    const { named: all, text } = await verdictOf(await bundleOf(server, { id }, query), ['--key', keyOf(server)])
    expect(text).not.toContain('Traceback')
    const short = all.map((one) => (/^(record|gaps)_/.test(one) ? one.split(' ', 2).join(' ') : one.split(' ', 1)[0]!))
    return [...new Set(short)].sort()
  }

  it('as it was written fits, and so does its bundle', async () => {
    const id = await readSession(server)
    for (const { code, namesOf } of await foundByBoth()) expect([code, namesOf(id)]).toEqual([0, []])
    expect(await inBundle(id)).toEqual([])
  })

  const sessions = new Map<string, string>()
  it.each(alterations)('shows in a bundle: $what', async ({ what, sql, inBundle: expected }) => {
    const id = await readSession(server)
    for (const one of sql) await alter(one, id)
    sessions.set(what, id)
    expect(await inBundle(id)).toEqual(expected)
  })

  it('is named by both of the operator’s programs', async () => {
    const expected = Object.fromEntries(alterations.map(({ what, named }) => [what, named]))
    for (const { code, namesOf } of await foundByBoth()) {
      expect(Object.fromEntries([...sessions].map(([what, id]) => [what, namesOf(id)]))).toEqual(expected)
      expect(code).toBe(1)
    }
  })

  it('covers every kind that is committed to', () => {
    const kinds = alterations.flatMap(({ named: names }) => names.map((name) => name.split(' ')[1]))
    expect(recordKinds.filter((kind) => !kind.startsWith('left_of_') && !kinds.includes(kind))).toEqual([])
  })

  it('refuses a signed report that is not stored as it was signed, as JSON and as PDF', async () => {
    const id = await readSession(server)
    const headers = await portalCookie(server, 'owner')
    const get = async (format: string) => {
      const answer = await fetch(`${server.url}/v1/sessions/${id}/report/export?format=${format}`, { headers })
      return { status: answer.status, sha256: answer.headers.get('x-service-report-sha256'), text: await answer.text() }
    }
    expect((await get('json')).status).toBe(200)
    await alter(`UPDATE report_revisions SET signer_name = 'Somebody else' WHERE org_id = ?1 AND session_id = ?2`, id)
    for (const format of ['json', 'pdf']) {
      const { status, sha256, text } = await get(format)
      expect([status, sha256]).toEqual([500, null])
      expect(text).toContain('not stored as it was signed')
    }
  })

  it('holds what an erasure left against what its row commits to', async () => {
    const id = await readSession(server)
    await alter('UPDATE legal_holds SET reason = reason WHERE org_id = ?1 AND session_id = ?2', id)
    const headers = await portalCookie(server, 'owner')
    const params = { orgId: server.orgs[0].orgId, sessionId: id }
    await server.client().call('portal.retention.sessions.hold', { headers, params, body: { on: false } })
    await server.client(server.orgs[0].sandboxKey).call('sessions.erase', { params: { id } })
    await server.processAll()
    for (const { namesOf } of await foundByBoth()) expect(namesOf(id)).toEqual([])
    expect(await inBundle(id)).toEqual([])
    for (const set of [
      `notes SET text = 'No.' WHERE kind = 'note' AND`,
      'evidence SET captured_at = 1 WHERE',
      'lane_gaps SET to_at = to_at - 1 WHERE',
    ])
      await alter(`UPDATE ${set} org_id = ?1 AND session_id = ?2`, id)
    const expected = ['record_changed left_of_evidence', 'record_changed left_of_lanes', 'record_changed note']
    for (const { namesOf } of await foundByBoth()) expect(namesOf(id)).toEqual(expected)
    // Another one than was built before somebody changed anything.
    expect(await inBundle(id, { evidence: 'none' })).toEqual(expected)
  })
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what people read of a session and somebody changed (${engine})`, () => flows(engine))
