import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commandNames, runAdmin } from '../../../src/app/admin-program.ts'
import { writeBackup } from '../../../src/app/backup/write-backup.ts'
import { buildContext } from '../../../src/app/build-context.ts'
import { readConfig } from '../../../src/app/config.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { generateIdentity } from '../../../src/platform/crypto/age-keys.ts'
import { loadMasterKey } from '../../../src/platform/crypto/master-key.ts'
import { wholeDatabase } from '../../../src/platform/db/open-db.ts'
import { freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const admin = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  let said = ''
  const write = (text: string) => {
    said += text
  }
  const code = await runAdmin([...words], { env, stdout: { write }, stderr: { write } })
  return { code, said }
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'integrity-operator-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('a command of the operator', () => {
  it.each(commandNames.filter((name) => name !== 'bootstrap' && name !== 'migrate'))(
    '%s makes no database where there is none',
    async (name) => {
      const { code, said } = await admin(name.split(' '), { DATA_DIR: join(folder, 'data') })
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/no database at .*data\/database\.sqlite: is DATA_DIR or DATABASE_URL/),
      ])
      expect(await readdir(folder)).toEqual([])
    },
  )

  it.runIf(hasEngine('postgres'))(
    'makes none in an empty Postgres either, and names it without its password',
    async () => {
      const database = await freshDatabase('postgres')
      try {
        const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: database.databaseUrl ?? '' }
        const { code, said } = await admin(['evidence', 'verify'], env)
        expect([code, said]).toEqual([1, expect.stringMatching(/^There is no database at postgres/)])
        expect(await readdir(folder)).toEqual([])
        expect(
          await database.open().reader.get('SELECT 1 AS found FROM pg_tables WHERE schemaname = current_schema()'),
        ).toBe(undefined)
      } finally {
        await database.drop()
      }
    },
  )

  it('migrate makes the database, says how far it is, and finds nothing to do the next time', async () => {
    const env = { DATA_DIR: join(folder, 'data') }
    const first = await admin(['migrate'], env)
    expect([first.code, first.said]).toEqual([0, expect.stringContaining(`up to ${migrations.at(-1)?.name}.`)])
    expect((await admin(['migrate'], env)).code).toBe(0)
    expect((await admin(['evidence', 'verify'], env)).said).toContain('no organisation')
  })

  it('makes no key for a database whose first start was cut off before it had one', async () => {
    const env = { DATA_DIR: folder }
    const built = await buildContext(readConfig(env))
    await built.app.db.transact((tx) => tx.run('DELETE FROM master_key_names'))
    await built.close()
    await rm(join(folder, 'master.key'))
    expect((await admin(['evidence', 'verify'], env)).said).toContain('There is no database at')
    expect(await readdir(folder)).not.toContain('master.key')
  })

  it('backs up and verifies no database without an organisation, and takes no backup of one for whole', async () => {
    const built = await buildContext(readConfig({ DATA_DIR: folder }))
    await built.close()
    const env = { DATA_DIR: folder }
    const { recipient, identityText } = generateIdentity()
    const to = join(folder, 'backup')
    for (const words of [
      ['backup', '--to', to, '--recipient', recipient],
      ['evidence', 'verify'],
      ['audit', 'verify', '--org', 'org_1'],
    ]) {
      const { code, said } = await admin(words, env)
      expect([code, said]).toEqual([1, expect.stringMatching(/no organisation/)])
    }
    expect(await readdir(folder)).not.toContain('last-backup')
    await writeBackup({
      database: wholeDatabase({ dataDir: folder }),
      objects: join(folder, 'objects'),
      to,
      version: '1.0.0',
      masterKey: await loadMasterKey({ keyFile: join(folder, 'master.key') }),
      now: () => 0,
      recipients: [recipient],
      keyRecipients: [recipient],
    })
    await writeFile(join(folder, 'identity'), identityText)
    const verified = await admin(['backup', 'verify', '--from', to, '--identity', join(folder, 'identity')])
    expect([verified.code, verified.said]).toEqual([1, expect.stringContaining('a backup of nothing')])
  })
})

describe('the settings of the service', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  it('reach the command as they reach the service, whatever a shell would make of them', async () => {
    const file = join(folder, 'server.env')
    const { dataDir, databaseUrl } = server.app.config
    const own =
      databaseUrl &&
      `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}application_name=integrity&connect_timeout=10`
    await writeFile(
      file,
      `DATA_DIR=${dataDir}\n${own ? `DATABASE_URL=${own}\n` : ''}MAIL_FROM=Interview Integrity <service@example.org>\nSMTP_URL=smtp://u:se$cret@localhost\n`,
    )
    const done = await admin(['--settings', file, 'evidence', 'verify'], { DATA_DIR: join(folder, 'elsewhere') })
    expect(done).toEqual({ code: 0, said: expect.stringContaining('0 do not fit') })
    expect(await admin(['--settings', join(folder, 'none'), 'evidence', 'verify'])).toEqual({
      code: 1,
      said: expect.stringContaining('cannot be read'),
    })
    await writeFile(file, `export DATA_DIR=${dataDir}\nDATA_DIR=${join(folder, 'elsewhere')}`)
    const other = await admin(['--settings', file, 'evidence', 'verify'])
    expect(other.said).toContain('passed over, as systemd does: export DATA_DIR')
    expect(other.said).toContain('no database at')
  })

  it.each([
    'audit verify',
    'erase --session ses_1',
    'evidence verify',
    'plan agree --plan team',
    'retention preview',
    'retention run',
    'sso unlink --email a@example.org',
  ])('are not all that can be mistyped: %s of an organisation that is not there says so', async (words) => {
    const { dataDir, databaseUrl } = server.app.config
    const env = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    expect(await admin([...words.split(' '), '--org', 'org_mistyped'], env)).toEqual({
      code: 1,
      said: expect.stringMatching(/^there is no organisation org_mistyped in the database at /m),
    })
  })

  it("come from that file alone in the package's command", async () => {
    // The script with the paths of a test: what it starts prints its arguments and its environment.
    const script = await readFile(new URL('../../../packaging/debian/admin.sh', import.meta.url), 'utf8')
    const show = join(folder, 'node')
    await writeFile(show, '#!/bin/sh\necho "$@"\nenv\n', { mode: 0o700 })
    const mine = join(folder, 'admin.sh')
    await writeFile(
      mine,
      script.replace('/usr/lib/interview-integrity/node_modules/.bin/node', show).replace('id -u', 'echo 1'),
      { mode: 0o700 },
    )
    const said = execFileSync('sh', [mine, 'audit', 'verify'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATABASE_URL: 'postgres://other/other' },
    })
    expect(said).toMatch(/admin\.ts --settings \/etc\/interview-integrity\/server\.env audit verify\n/)
    expect(said).toContain('DATA_DIR=/var/lib/interview-integrity\n')
    expect(said).not.toContain('other')
  })

  it('say of the last backup how much was in it', async () => {
    const { recipient } = generateIdentity()
    const { dataDir, databaseUrl } = server.app.config
    const env = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    const done = await admin(['backup', '--to', join(folder, 'backup'), '--recipient', recipient], env)
    expect(done.code, done.said).toBe(0)
    const { text } = await server.app.metrics.render()
    const value = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
    const { tables } = JSON.parse(await readFile(join(folder, 'backup/manifest.json'), 'utf8')) as {
      tables: Record<string, number>
    }
    expect(value('backup_last_audit_rows')).toBe(tables['audit_log'])
    expect(value('backup_last_rows')).toBe(Object.values(tables).reduce((a, b) => a + b))
    expect(value('backup_last_objects')).toBe(0)
    await writeFile(join(dataDir, 'last-backup'), '1700000000000\n')
    expect((await server.app.metrics.render()).text).toContain('backup_last_success_timestamp_seconds 1700000000\n')
  })
})
