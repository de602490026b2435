import { afterEach, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { remindOfDue } from '../../../src/domains/administration/retention/overdue.service.ts'
import { buildCaptureSession, picture, sendStill } from '../../test-support/capture-session.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { addMember } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { dayMs, endedSession, retentionOf } from './retention.test-support.ts'

describeEachDatabase('what is due', (_open, engine) => {
  let server: TestServer
  afterEach(() => server.stop())

  const admin = async (...words: string[]) => {
    const { dataDir, databaseUrl } = server.app.config
    let said = ''
    const write = (text: string) => {
      said += text
    }
    const env = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    const code = await runAdmin(words, { env, stdout: { write }, stderr: { write } })
    return { code, said }
  }
  const letters = async () =>
    (await readOutbox(server)).filter(({ subject }) => /^Recordings/.test(subject)).map(({ subject }) => subject)

  it('is counted, told to whoever sees to it, and deleted only when the operator says so', async () => {
    server = await startServer({ engine })
    const session = await buildCaptureSession(server)
    await sendStill(server, session, { bytes: await picture() })
    await session.api.call('sessions.end', { params: { id: session.id } })
    const { told } = (await server.app.db.reader.get<{ told: number }>(
      'SELECT told_until AS told FROM session_windows',
    ))!
    const passTo = async (at: number) => {
      // The program that the operator starts has the real time: what was told moves instead.
      const by = at - server.clock.now()
      server.clock.advance(by)
      await server.processAll()
    }
    await server.processAll()
    expect(await letters()).toEqual([])
    await passTo(told - 6 * dayMs)
    expect(await letters()).toEqual(['Recordings are due to be deleted'])
    await passTo(told + 2 * dayMs)
    await passTo(server.clock.now() + 2 * dayMs)
    expect(await letters()).toEqual(['Recordings are due to be deleted', 'Recordings are kept longer than promised'])
    expect((await server.app.metrics.render()).text).toContain('evidence_overdue_objects 1\n')
    expect((await server.client().call('health.ready')).data.overdueObjects).toBe(1)

    await server.app.db.transact((tx) => tx.run('UPDATE session_windows SET told_until = 1, ended_at = 0'))
    expect((await admin('retention', 'preview')).said).toContain(`${session.orgId}: 1 interviews, 1 objects`)
    expect((await admin('retention', 'run')).said).toContain('--org ORG_ID, or --all')
    const done = await admin('retention', 'run', '--all')
    expect(done).toEqual({
      code: 0,
      said: `${session.orgId}: 1 interviews erased, 1 objects; 0 stay under legal hold\n`,
    })
    expect((await admin('retention', 'run', '--all')).said).toBe('Nothing is due.\n')
    const { data } = await session.api.call('sessions.get', { params: { id: session.id } })
    expect(data.erasedAt).not.toBeNull()
  })

  it('of one organisation is deleted though that of another cannot be', async () => {
    server = await startServer({ engine })
    const sessions = [await buildCaptureSession(server, { org: 0 }), await buildCaptureSession(server, { org: 1 })]
    for (const session of sessions) {
      await sendStill(server, session, { bytes: await picture() })
      await session.api.call('sessions.end', { params: { id: session.id } })
    }
    const [stuck, free] = sessions.toSorted((a, b) => (a.orgId < b.orgId ? -1 : 1))
    await server.app.db.transact((tx) => tx.run('UPDATE session_windows SET told_until = 1, ended_at = 0'))
    const when = `OLD.org_id = '${stuck!.orgId}'`
    const statements =
      engine === 'sqlite'
        ? [`CREATE TRIGGER stays BEFORE UPDATE ON evidence WHEN ${when} BEGIN SELECT RAISE(ABORT, 'it stays'); END`]
        : [
            "CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'it stays'; END$$",
            `CREATE TRIGGER stays BEFORE UPDATE ON evidence FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION stay()`,
          ]
    await server.app.db.transact(async (tx) => {
      for (const statement of statements) await tx.run(statement)
    })
    const { code, said } = await admin('retention', 'run', '--all')
    expect(said).toContain(`${stuck!.orgId}: it stays\n`)
    expect(said).toContain(`${free!.orgId}: 1 interviews erased, 1 objects`)
    expect(code).toBe(1)
  })

  it('is told once a week to whoever sees to it and to nobody else, by a job that may come a little early', async () => {
    server = await startServer({ engine })
    const admin = await addMember(server, 'admin')
    const others = [await addMember(server, 'reviewer'), await addMember(server, 'interviewer')]
    await endedSession(server, { retentionDays: 1 })
    await server.processAll()
    const [first, ...more] = (await readOutbox(server)).filter(({ subject }) => /deleted/.test(subject))
    expect(more).toEqual([])
    expect(first?.to).toContain(admin.email)
    for (const { email } of others) expect(first?.to).not.toContain(email)
    for (let day = 1; day < 7; day++) {
      server.clock.advance(dayMs)
      await server.processAll()
    }
    expect(await letters()).toHaveLength(1)
    server.clock.advance(dayMs - 1_800_000)
    await remindOfDue(server.app, new AbortController().signal)
    await server.processAll()
    expect(await letters()).toHaveLength(2)
  })

  it('is not told of what a hold keeps', async () => {
    server = await startServer({ engine })
    const { id } = await endedSession(server, { retentionDays: 1 })
    await retentionOf(server).hold(id, true, 'a matter before a court')
    await server.processAll()
    expect(await letters()).toEqual([])
    await retentionOf(server).hold(id, false)
    server.clock.advance(dayMs)
    await server.processAll()
    expect(await letters()).toHaveLength(1)
  })
})
