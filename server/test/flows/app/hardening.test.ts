import { chmod, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { normaliseJoinCode } from '@integrity/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { createKeyring } from '../../../src/platform/crypto/keyring.ts'
import { buildCaptureSession, sendStill } from '../../test-support/capture-session.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { BASE_URL: 'https://service.example' } })
})
afterAll(() => server.stop())

it('a stolen database gives no join code: what is kept of it takes the master key', async () => {
  const { api, id } = await buildCaptureSession(server, { registered: false })
  const { data } = await api.call('sessions.joinLinks.create', { params: { id }, body: { role: 'candidate' } })
  const code = normaliseJoinCode(data.joinCode)!
  const row = await server.app.db.reader.get<{ hash: string }>(
    'SELECT code_hash AS hash FROM join_tickets WHERE session_id = ?',
    [id],
  )
  expect(row?.hash).toBe(server.app.keyring.mac('join-code', code))
  expect(row?.hash).not.toBe(createKeyring(Buffer.alloc(32)).mac('join-code', code))
})

it('behind https every answer asks for https, and evidence is shown by no other origin', async () => {
  const s = await buildCaptureSession(server)
  const { data } = await sendStill(server, s)
  const { data: link } = await s.api.call('evidence.downloadUrl', { params: { id: data.id } })
  const answer = await fetch(server.url + link.url.slice('https://service.example'.length))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  for (const path of ['/v1/api/me', '/healthz', '/nowhere'])
    expect((await fetch(server.url + path)).headers.get('strict-transport-security'), path).toBe('max-age=31536000')
})

if (process.platform !== 'win32')
  it('a start shuts the data folder and what lies in it to others', async () => {
    const { dataDir } = server.app.config
    await writeFile(join(dataDir, 'left-open'), '', { mode: 0o644 })
    await chmod(dataDir, 0o755)
    await chmod(join(dataDir, 'database.sqlite'), 0o644)
    await chmod(join(dataDir, 'objects'), 0o755)
    await server.restart()
    const modeOf = async (name: string) => (await stat(join(dataDir, name))).mode & 0o777
    expect(await Promise.all(['.', 'left-open', 'database.sqlite', 'objects'].map(modeOf))).toEqual([
      0o700, 0o600, 0o600, 0o700,
    ])
  })

it('the operator gives a password on standard input, and is told when there is none', async () => {
  let said = ''
  const surroundings = (stdin: string[]) => ({
    env: { DATA_DIR: join(server.app.config.dataDir, 'other') },
    stdin: (async function* () {
      yield* stdin
    })(),
    stdout: { write: () => undefined },
    stderr: {
      write: (text: string) => {
        said += text
      },
    },
  })
  const args = ['bootstrap', '--org', 'One', '--email', 'one@example.org']
  expect(await runAdmin(args, surroundings([]))).toBe(1)
  expect(said).toContain('no password')
  expect(await runAdmin(args, surroundings(['correct horse ', 'battery 9\nrest']))).toBe(0)
})
