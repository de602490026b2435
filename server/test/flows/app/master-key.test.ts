import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { openRoot } from '../../../src/kernel/root-key.ts'
import { parseMasterKey } from '../../../src/platform/crypto/master-key.ts'
import { buildCaptureSession, picture, sendStill } from '../../test-support/capture-session.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

describeEachDatabase('the master key', (_open, engine) => {
  let server: TestServer
  afterEach(() => server.stop())

  const changed = async (more: Record<string, string> = {}, typed = '') => {
    let said = ''
    const write = (text: string) => {
      said += text
    }
    const { dataDir, databaseUrl } = server.app.config
    const code = await runAdmin(['master-key', 'change'], {
      env: { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...more },
      stdin: (async function* () {
        yield typed
      })(),
      stdout: { write },
      stderr: { write },
    })
    return { code, said }
  }
  const readiness = async () => (await fetch(`${server.url}/v1/health/ready`)).status
  const kept = () => server.app.db.reader.get<Record<string, string>>('SELECT * FROM master_key_names')

  it('of a file is changed while the service runs, and what lies under it opens as before', async () => {
    server = await startServer({ engine })
    const keyFile = join(server.app.config.dataDir, 'master.key')
    const [old, before] = [await readFile(keyFile, 'utf8'), await kept()]
    const session = await buildCaptureSession(server)
    const bytes = await picture()
    const { data } = await sendStill(server, session, { bytes })
    const opens = async () => {
      // A restart takes another port.
      const api = server.client(server.orgs[0].sandboxKey)
      const { data: link } = await api.call('evidence.downloadUrl', { params: { id: data.id } })
      const answer = await fetch(link.url.replace(server.app.config.baseUrl, server.url))
      return Buffer.from(await answer.arrayBuffer()).equals(bytes)
    }
    const { code, said } = await changed()
    expect(code, said).toBe(0)
    expect([await readFile(keyFile, 'utf8'), (await kept())?.['key_id']]).not.toContain(old)
    expect((await kept())?.['root_id']).toBe(before?.['root_id'])
    expect([await readiness(), await opens()]).toEqual([200, true])
    // The old key opens the database no more, and no wrapping under it is left in its files.
    await expect(openRoot(server.app.db, parseMasterKey(old, 'old'))).rejects.toMatchObject({
      code: 'other_master_key',
    })
    if (engine === 'sqlite')
      for (const name of ['database.sqlite', 'database.sqlite-wal'])
        expect((await readFile(join(server.app.config.dataDir, name))).includes(before?.['wrapped_root'] ?? '?')).toBe(
          false,
        )
    await server.restart()
    expect([await readiness(), await opens()]).toEqual([200, true])
    // Cut off between the database and the file: the next start finishes it.
    const present = await readFile(keyFile, 'utf8')
    await rename(keyFile, `${keyFile}.next`)
    await writeFile(keyFile, old, { mode: 0o600 })
    await server.restart()
    expect([await readFile(keyFile, 'utf8'), await opens()]).toEqual([present, true])
    // Cut off before it reached the database: the file that is beside is no key of it.
    await writeFile(`${keyFile}.next`, old, { mode: 0o600 })
    await server.restart()
    expect(await opens()).toBe(true)
    expect((await changed()).code).toBe(0)
  })

  it('of the settings is changed to the one that is piped in', async () => {
    const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')]
    server = await startServer({ engine, env: { MASTER_KEY: old } })
    const none = await changed({ MASTER_KEY: old })
    expect([none.code, none.said]).toEqual([1, expect.stringContaining('no new master key')])
    const short = await changed({ MASTER_KEY: old }, 'too short\n')
    expect([short.code, short.said]).toEqual([1, expect.stringContaining('is not 32 bytes')])
    const done = await changed({ MASTER_KEY: old }, `${next}\n`)
    expect(done.code, done.said).toBe(0)
    expect(done.said).not.toContain(next)
    expect(await readiness()).toBe(200)
    const again = await changed({ MASTER_KEY: old }, `${next}\n`)
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('and this process holds')])
    expect((await openRoot(server.app.db, parseMasterKey(next, 'next'))).keyId).toBe(server.app.keyring.keyId)
  })

  it('of a database of before is its root key too', async () => {
    server = await startServer({ engine })
    const master = randomBytes(32)
    await server.app.db.transact((tx) => tx.run('DELETE FROM master_key_names'))
    await openRoot(server.app.db, master)
    const { key_id: keyId } = (await kept()) ?? {}
    await server.app.db.transact((tx) => tx.run('UPDATE master_key_names SET root_id = NULL, wrapped_root = NULL'))
    const [one, other] = await Promise.all([openRoot(server.app.db, master), openRoot(server.app.db, master)])
    expect([one.keyId, other.keyId]).toEqual([keyId, keyId])
    await expect(openRoot(server.app.db, randomBytes(32))).rejects.toMatchObject({ code: 'other_master_key' })
  })
})
