import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@integrity/client/every-endpoint'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compositionIdOf } from '../../../src/domains/review/compositions/compositions.id.model.ts'
import { openSqlite } from '../../../src/platform/db/sqlite/sqlite.db.ts'
import type { Param } from '../../../src/platform/db/types.ts'
import { filesBelow, iso, newClientId, picture, sha256 } from '../../test-support/capture-session.ts'
import { ffmpeg } from '../../test-support/film-fixtures.ts'
import { nodeEnv } from '../../test-support/node-env.ts'
import { inTerminal } from '../../test-support/processes.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
/** Long enough to be met half-way. */
const filmMs = 2 * 60_000

interface Child {
  readonly process: ChildProcess
  readonly ended: Promise<void>
  /** Resolves with the first match in what it prints. */
  printed(pattern: RegExp): Promise<string>
}

let dataDir: string
const children: Child[] = []

const startProcess = async (env: Record<string, string> = {}): Promise<{ child: Child; url: string }> => {
  const spawned = spawn(process.execPath, [main], {
    env: { ...nodeEnv(), DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...inTerminal, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const watchers = new Set<() => void>()
  spawned.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    for (const watcher of watchers) watcher()
  })
  const ended = new Promise<void>((resolve) => spawned.once('close', () => resolve()))
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(text)
        if (match?.[1]) resolve(match[1])
      }
      watchers.add(look)
      look()
      void ended.then(() => reject(new Error(`it ended without ${pattern}:\n${text}`)))
    })
  const child = { process: spawned, ended, printed }
  children.push(child)
  return { child, url: await printed(/listens on (http:\/\/\S+)/) }
}

/** What time would do: the lease of a process that is dead runs out, a session began long ago. */
const inDatabase = async (sql: string, params: Param[] = []): Promise<void> => {
  const db = openSqlite({ file: join(dataDir, 'database.sqlite') })
  try {
    await db.transact((tx) => tx.run(sql, params))
  } finally {
    await db.close()
  }
}

/** An ended session of a few minutes with one still. */
const buildLong = async (url: string, api: Client): Promise<string> => {
  const { data: session } = await api.call('sessions.create', { body: {} })
  const agent = createClient({ baseUrl: url, token: session.agentJoinToken })
  const params = { id: session.id }
  const { data: config } = await agent.call('agent.sessions.config', { params })
  const { version, hash, lanes } = config.consentDocument
  const agreed = Object.fromEntries(lanes.map(({ lane }) => [lane, true]))
  const consent = { version, locale: 'en', documentHash: hash, acceptedAt: iso(Date.now()), lanes: agreed }
  await agent.call('agent.sessions.register', { body: { consent } })
  const bytes = await picture()
  const meta = { clientId: newClientId(), sha256: sha256(bytes), capturedAt: iso(Date.now()), displayId: 'd1' }
  await agent.call('agent.screenshots.upload', { params, raw: { bytes, contentType: 'image/webp', meta } })
  await api.call('sessions.end', { params })
  await inDatabase('UPDATE sessions SET started_at = ended_at - ? WHERE session_id = ?', [filmMs, session.id])
  return session.id
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'integrity-films-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.process.exitCode === null && child.process.signalCode === null) child.process.kill('SIGKILL')
    await child.ended
  }
  await rm(dataDir, { recursive: true, force: true })
})

const patient = { timeout: 90_000, interval: 100 }

describe.skipIf(!ffmpeg)('a server process that renders', () => {
  const listed = async (api: Client, id: string) =>
    (await api.call('sessions.compositions.list', { params: { id } })).data.items[0]
  const halfWay = async (api: Client, id: string): Promise<void> => {
    await api.call('compositions.render', { params: { id: compositionIdOf(id) } })
    await expect.poll(async () => ((await listed(api, id))?.progress ?? 0) > 0, patient).toBe(true)
    expect((await listed(api, id))?.status).toBe('rendering')
  }
  const temporaries = async () => [
    ...(await filesBelow(join(dataDir, 'films'))),
    ...(await filesBelow(join(dataDir, 'objects', 'incoming'))),
  ]

  it('may be killed half-way: the next one makes the film, and no temporary file is left', async () => {
    const first = await startProcess()
    const token = await first.child.printed(/sandbox key +(sk_test_\S+)/)
    const id = await buildLong(first.url, createClient({ baseUrl: first.url, token }))
    await halfWay(createClient({ baseUrl: first.url, token }), id)
    first.child.process.kill('SIGKILL')
    await first.child.ended
    await inDatabase("UPDATE jobs SET lease_until = 0 WHERE kind = 'compositions.render'")
    const second = await startProcess()
    const api = createClient({ baseUrl: second.url, token })
    await expect.poll(async () => (await listed(api, id))?.status, patient).toBe('ready')
    expect(await listed(api, id)).toMatchObject({ durationMs: filmMs, failure: null })
    // The row comes before the last of the tidying up.
    await expect.poll(temporaries, patient).toEqual([])
  }, 180_000)

  it('gives its render back when it is told to stop, and the attempt does not count', async () => {
    const { child, url } = await startProcess()
    const token = await child.printed(/sandbox key +(sk_test_\S+)/)
    const api = createClient({ baseUrl: url, token })
    const id = await buildLong(url, api)
    // So long that the grace of a stop does not see its end.
    await inDatabase('UPDATE sessions SET started_at = ended_at - ? WHERE session_id = ?', [60 * filmMs, id])
    await halfWay(api, id)
    child.process.kill('SIGTERM')
    await child.ended
    expect(child.process.exitCode).toBe(0)
    expect(await temporaries()).toEqual([])
    const db = openSqlite({ file: join(dataDir, 'database.sqlite') })
    const sql = "SELECT state, attempts, lease_owner AS owner FROM jobs WHERE kind = 'compositions.render'"
    expect(await db.reader.all(sql)).toEqual([{ state: 'queued', attempts: 0, owner: null }])
    await db.close()
  }, 180_000)

  it('without an ffmpeg that works refuses to render, and says what to do', async () => {
    const { child, url } = await startProcess({ FFMPEG_PATH: join(dataDir, 'no-such-program') })
    const api = createClient({ baseUrl: url, token: await child.printed(/sandbox key +(sk_test_\S+)/) })
    const id = await buildLong(url, api)
    const asked = api.call('compositions.render', { params: { id: compositionIdOf(id) } })
    await expect(asked).rejects.toMatchObject({ status: 503, code: 'service_unavailable' })
    await expect(asked).rejects.toThrow('FFMPEG_PATH')
    expect((await listed(api, id))?.status).toBe('not_rendered')
  }, 60_000)
})
