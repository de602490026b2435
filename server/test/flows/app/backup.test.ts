import { execFileSync } from 'node:child_process'
import { appendFile, cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { writeBackup } from '../../../src/app/backup/write-backup.ts'
import { readConfig } from '../../../src/app/config.ts'
import { type Running, startServer as startProgram } from '../../../src/app/server.ts'
import { generateIdentity } from '../../../src/platform/crypto/age-keys.ts'
import { loadMasterKey } from '../../../src/platform/crypto/master-key.ts'
import { wholeDatabase } from '../../../src/platform/db/open-db.ts'
import { buildCaptureSession, type CaptureSession, picture, sendStill } from '../../test-support/capture-session.ts'
import { describeEachDatabase, type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const admin = async (words: readonly string[], env: Readonly<Record<string, string>>) => {
  let said = ''
  const write = (text: string) => {
    said += text
  }
  const code = await runAdmin([...words], { env, stdout: { write }, stderr: { write } })
  return { code, said }
}

describeEachDatabase('a backup', (_open, engine) => {
  const [operator, keyHolder, stranger] = [generateIdentity(), generateIdentity(), generateIdentity()]
  let [server, folder] = [undefined as unknown as TestServer, '']
  const targets: FreshDatabase[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'integrity-backup-'))
    for (const [name, { identityText }] of Object.entries({ operator, keyHolder, stranger }))
      await writeFile(join(folder, name), `# of a test\n${identityText}\n`, { mode: 0o600 })
    server = await startServer({ engine })
  })
  afterEach(async () => {
    await server.stop()
    await Promise.all(targets.splice(0).map((target) => target.drop()))
    await rm(folder, { recursive: true })
  })

  const here = () => {
    const { dataDir, databaseUrl } = server.app.config
    return { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  }
  const emptyTarget = async (kind = engine) => {
    const target = await freshDatabase(kind)
    targets.push(target)
    return {
      DATA_DIR: join(target.dataDir, 'restored'),
      ...(target.databaseUrl && { DATABASE_URL: target.databaseUrl }),
    }
  }
  const backUp = async (name = 'one') => {
    const to = join(folder, name)
    const recipients = ['--recipient', operator.recipient, '--key-recipient', keyHolder.recipient]
    const done = await admin(['backup', '--to', to, ...recipients], here())
    expect(done.code, done.said).toBe(0)
    return to
  }
  const both = () => ['--identity', join(folder, 'operator'), '--identity', join(folder, 'keyHolder')]
  const restore = (from: string, env: Readonly<Record<string, string>>, identities = both()) =>
    admin(['backup', 'restore', '--from', from, ...identities], env)
  const holds = async (env: Readonly<Record<string, string>>) => {
    const evidence = await admin(['evidence', 'verify', '--json'], env)
    const chains = await Promise.all(server.orgs.map(({ orgId }) => admin(['audit', 'verify', '--org', orgId], env)))
    return {
      evidence: JSON.parse(evidence.said.trim().split('\n').at(-1) ?? '') as { rows: number; faults: number },
      chains: chains.map(({ said, code }) => (code === 0 ? 'holds' : said)),
    }
  }

  const running: Running[] = []
  const serverOf = async (config: ReturnType<typeof readConfig>) => {
    const started = await startProgram(config, { background: false })
    running.push(started)
    return started
  }
  afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())))

  const erase = async ({ api, id }: CaptureSession) => {
    await api.call('sessions.end', { params: { id } })
    await api.call('sessions.erase', { params: { id } })
    await server.processAll()
  }
  /** As the program does it, with something that happens between the rows and the objects. */
  const backUpDuring = async (to: string, during: () => Promise<unknown>, version = '1.0.0') => {
    const { dataDir, databaseUrl } = server.app.config
    const database = wholeDatabase({ dataDir, databaseUrl })
    return writeBackup({
      database: {
        ...database,
        snapshot: async (work) => {
          const done = await database.snapshot(work)
          await during()
          return done
        },
      },
      to,
      version,
      now: () => server.clock.now(),
      objects: join(dataDir, 'objects'),
      masterKey: await loadMasterKey({ keyFile: join(dataDir, 'master.key') }),
      recipients: [operator.recipient],
      keyRecipients: [keyHolder.recipient],
    })
  }

  it('made while others write and erase is restored onto nothing, and verifies whole, on either engine', async () => {
    const [kept, erased] = [await buildCaptureSession(server), await buildCaptureSession(server)]
    for (let n = 0; n < 5; n += 1) await sendStill(server, kept, { bytes: await picture() })
    for (let n = 0; n < 5; n += 1) await sendStill(server, erased, { bytes: await picture() })
    // The heads of the chains are signed.
    server.clock.advance(61_000)
    await server.processAll()
    let isDone = false
    let sent = 0
    const writing = (async () => {
      while (!isDone) {
        await sendStill(server, kept, { bytes: await picture() })
        sent += 1
      }
    })()
    const erasing = erase(erased)
    const from = await backUp()
    isDone = true
    await Promise.all([writing, erasing])
    expect(sent).toBeGreaterThan(0)
    const verified = await admin(['backup', 'verify', '--from', from, ...both()], {})
    expect(verified.said).toContain('the backup is whole')
    for (const kind of ['sqlite', 'postgres'] as const) {
      if (!hasEngine(kind)) continue
      const target = await emptyTarget(kind)
      const restored = await restore(from, target)
      expect(restored.code, restored.said).toBe(0)
      const { evidence, chains } = await holds(target)
      expect([evidence.faults, chains]).toEqual([0, ['holds', 'holds']])
      expect(evidence.rows).toBeGreaterThanOrEqual(5)
      // A database is what it was, whichever engine wrote it down.
      const again = wholeDatabase({ dataDir: target.DATA_DIR, databaseUrl: target.DATABASE_URL })
      const manifest = JSON.parse(await readFile(join(from, 'manifest.json'), 'utf8')) as { tables: object }
      const filled = Object.entries(manifest.tables).flatMap(([name, rows]) => (rows > 0 ? [name] : []))
      expect(new Set(await again.filledTables())).toEqual(new Set(filled))
    }
  })

  it('keeps what is erased between its rows and its objects: whoever has it can open what was erased since', async () => {
    const session = await buildCaptureSession(server)
    await sendStill(server, session, { bytes: await picture() })
    const [from, target] = [join(folder, 'before'), await emptyTarget()]
    const { objects } = await backUpDuring(from, () => erase(session))
    const after = await backUpDuring(join(folder, 'after'), () => Promise.resolve())
    expect([objects.files, after.objects.files]).toEqual([1, 0])
    expect((await restore(from, target)).code).toBe(0)
    expect((await holds(target)).evidence).toMatchObject({ rows: 1, erased: 0, faults: 0 })
  })

  it('restored, is not served before it was told what was erased since, and loses that again', async () => {
    const [kept, erased] = [await buildCaptureSession(server), await buildCaptureSession(server)]
    for (const session of [kept, erased]) await sendStill(server, session, { bytes: await picture() })
    const from = await backUp('before')
    await erase(erased)
    const list = server.app.config.erasuresFile
    expect(JSON.parse(await readFile(list, 'utf8'))).toEqual({
      at: expect.stringMatching(/^\d{4}-/),
      orgId: erased.orgId,
      sessionId: erased.id,
    })
    const serve = (env: Readonly<Record<string, string>>) => serverOf(readConfig({ ...env, PORT: '0' }))
    const stateOf = async (env: Readonly<Record<string, string>>) => {
      const { db } = (await serve(env)).built.app
      const rows = await db.reader.all<{ id: string; erased: number }>(
        'SELECT session_id AS id, CASE WHEN erased_at IS NULL THEN 0 ELSE 1 END AS erased FROM sessions',
      )
      return Object.fromEntries(rows.map(({ id, erased }) => [id, erased]))
    }

    const later = await emptyTarget()
    const restored = await restore(from, later)
    expect(restored.said).toContain('does not serve before')
    await expect(serve(later)).rejects.toThrow('what was erased since')
    await writeFile(join(folder, 'list'), 'no line of it\n{}')
    const wrong = await admin(['erase', '--from-log', join(folder, 'list')], later)
    expect([wrong.code, wrong.said]).toEqual([1, expect.stringContaining('line 1 is no erasure')])
    await expect(serve(later)).rejects.toThrow('what was erased since')
    // A line that is cut off is not yet one, and a session of after the backup is not here.
    const more = `{"at":"2026-01-01T00:00:00.000Z","orgId":"${erased.orgId}","sessionId":"ses_later"}\n{"at":"20`
    await writeFile(join(folder, 'list'), `${await readFile(list, 'utf8')}${more}`)
    expect(await admin(['erase', '--from-log', join(folder, 'list')], later)).toEqual({
      code: 0,
      said: '1 erased, 0 were erased already, 1 are not here.\n',
    })
    expect(await stateOf(later)).toEqual({ [kept.id]: 0, [erased.id]: 1 })

    const atOnce = await emptyTarget()
    const done = await admin(['backup', 'restore', '--from', from, ...both(), '--erased-since', list], atOnce)
    expect([done.code, done.said]).toEqual([0, expect.stringContaining('1 erased')])
    expect(await stateOf(atOnce)).toEqual({ [kept.id]: 0, [erased.id]: 1 })

    const nothing = await emptyTarget()
    await restore(from, nothing)
    expect((await admin(['erase', '--nothing-since'], nothing)).code).toBe(0)
    expect(await stateOf(nothing)).toEqual({ [kept.id]: 0, [erased.id]: 0 })
  })

  it('says what it does not hold: objects in a bucket of the organisation', async () => {
    const say = async (name: string) => {
      const done = await admin(['backup', '--to', join(folder, name), '--recipient', operator.recipient], here())
      expect(done.code, done.said).toBe(0)
      return done.said
    }
    expect(await say('local')).not.toContain('Not in it')
    const place = (org: 0 | 1, id: string, provider: string, emptiedAt: number | null) =>
      server.app.db.transact((tx) =>
        tx.run(
          `INSERT INTO storage_places (org_id, place_id, provider, settings, in_use, set_at, checks, emptied_at)
           VALUES (?, ?, ?, '{}', 0, 1, '[]', ?)`,
          [server.orgs[org].orgId, id, provider, emptiedAt],
        ),
      )
    await place(0, 'plc_1', 'local', null)
    await place(0, 'plc_2', 's3', null)
    await place(0, 'plc_3', 'azure', null)
    await place(1, 'plc_4', 's3', 7)
    expect(await say('elsewhere')).toContain(
      'Not in it: objects of 1 organisation that lie in buckets of their own. The rows and keys to them are in it; have versions kept there.',
    )
  })

  it('opens with the usual tools, and says nothing in the clear', async () => {
    const session = await buildCaptureSession(server)
    await sendStill(server, session, { bytes: await picture() })
    const from = await backUp()
    const open = (name: string, identity: string, pipe: string) =>
      execFileSync('sh', ['-c', `age -d -i "$1" "$2" | ${pipe}`, 'sh', join(folder, identity), join(from, name)], {
        encoding: 'utf8',
      })
    expect(open('database.jsonl.gz.age', 'operator', 'gunzip')).toContain(session.id)
    expect(open('objects.tar.age', 'operator', 'tar -t')).toContain(`objects/${session.orgId}/`)
    const key = await readFile(join(server.app.config.dataDir, 'master.key'), 'utf8')
    expect(open('master.key.age', 'keyHolder', 'cat')).toBe(key)
    expect(await readFile(join(from, 'manifest.json'), 'utf8')).not.toContain(session.orgId)
  })

  it('is refused in words where the key, a file, the target or the version does not fit', async () => {
    await buildCaptureSession(server)
    const from = await backUp()
    const target = await emptyTarget()
    const saying = async (words: string, result: Promise<{ code: number; said: string }>) => {
      const { code, said } = await result
      expect([code, said]).toEqual([1, expect.stringContaining(words)])
    }
    await saying('was made for another recipient', restore(from, target, ['--identity', join(folder, 'stranger')]))
    await saying('database.jsonl.gz.age: none of', restore(from, target, ['--identity', join(folder, 'keyHolder')]))
    await saying('is not empty', restore(from, here()))
    await saying(
      'is not empty: name a folder',
      admin(['backup', '--to', from, '--recipient', operator.recipient], here()),
    )
    await saying('is no age recipient', admin(['backup', '--to', `${from}2`, '--recipient', 'age1x'], here()))
    await saying('MASTER_KEY is another key', restore(from, { ...(await emptyTarget()), MASTER_KEY: '1'.repeat(64) }))
    const spoilt = async (name: string, spoil: (path: string) => Promise<unknown>) => {
      const copy = join(folder, `spoilt-${name}`)
      await cp(from, copy, { recursive: true })
      await spoil(copy)
      return restore(copy, await emptyTarget())
    }
    await saying(
      'objects.tar.age was cut',
      spoilt('cut', (copy) => truncate(join(copy, 'objects.tar.age'), 300)),
    )
    await saying(
      'was cut or grew',
      spoilt('grown', (copy) => appendFile(join(copy, 'objects.tar.age'), 'x')),
    )
    await saying(
      'is no finished backup',
      spoilt('half', (copy) => rm(join(copy, 'manifest.json'))),
    )
    const rewritten = (change: (text: string) => string) => async (copy: string) => {
      const path = join(copy, 'manifest.json')
      await writeFile(path, change(await readFile(path, 'utf8')))
    }
    const other = rewritten((text) => text.replace(/"madeAt": "20/, '"madeAt": "19'))
    await saying('was not made with the master key', spoilt('other', other))
  })

  it('of a newer schema is refused before anything is written', async () => {
    await server.app.db.transact((tx) => tx.run("INSERT INTO migrations (name, applied_at) VALUES ('9999-later', 1)"))
    const to = join(folder, 'newer')
    await backUpDuring(to, () => Promise.resolve(), '9.9.9')
    const target = await emptyTarget()
    const refusal = await restore(to, target)
    expect([refusal.code, refusal.said]).toEqual([1, expect.stringContaining('newer version (9.9.9)')])
    await server.app.db.transact((tx) => tx.run("DELETE FROM migrations WHERE name = '9999-later'"))
    expect((await restore(await backUp(), target)).code).toBe(0)
  })
})
