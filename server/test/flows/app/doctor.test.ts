import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { type MetricsServer, startMetricsServer } from '../../../src/platform/metrics/metrics-server.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { startSmtp } from '../../test-support/smtp.ts'

/** What was said of each subject, by its name. */
const doctor = async (env: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  let said = ''
  const write = (text: string) => {
    said += text
  }
  const code = await runAdmin(['doctor', ...words], { env, stdout: { write }, stderr: { write } })
  const line = (subject: string) => said.split('\n').find((one) => one.slice(6).startsWith(`${subject} `)) ?? ''
  return { code, said, line }
}

/** A proxy in front, as nginx writes the header. */
const proxyTo = async (target: () => string): Promise<Server> => {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '198.51.100.7' }
    const onward = request(`${target()}${incoming.url}`, { headers, method: incoming.method ?? 'GET' }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

describe('admin doctor', () => {
  let server: TestServer
  let metrics: MetricsServer
  let proxy: Server
  let env: Record<string, string>
  beforeAll(async () => {
    server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    metrics = await startMetricsServer(server.app.metrics, { host: '127.0.0.1', port: 0 })
    proxy = await proxyTo(() => server.url)
    const { dataDir, databaseUrl } = server.app.config
    env = {
      DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      BASE_URL: `http://127.0.0.1:${portOf(proxy)}`,
      METRICS_PORT: String(metrics.port),
      TRUSTED_PROXIES: '127.0.0.1',
    }
  })
  afterAll(async () => {
    proxy.close()
    await metrics.close()
    await server.stop()
  })

  it('names each part that works, with what it saw', async () => {
    await writeFile(
      join(server.app.config.dataDir, 'last-backup'),
      `${JSON.stringify({ at: Date.now(), rows: 7, auditRows: 2, objects: 0 })}\n`,
    )
    const { line, said } = await doctor(env)
    for (const subject of ['settings', 'folder', 'database', 'master key', 'proxy trust', 'backup'])
      expect(line(subject), said).toMatch(/^ok /)
    expect(line('address')).toContain(`${env['BASE_URL']} answers as version`)
    expect(line('clock')).toMatch(server.app.config.databaseUrl ? /^ok / : /^note .*SQLite/)
    expect(line('mail')).toMatch(/^note .*nobody gets them → set SMTP_URL/)
    expect(line('TLS')).toMatch(/^note /)
    expect(line('ffmpeg')).toMatch(/^(ok {3}|MEND) /)
  })

  it('names a proxy that the service does not trust, by asking through it', async () => {
    const other = await startServer()
    const [shown, before] = [
      await startMetricsServer(other.app.metrics, { host: '127.0.0.1', port: 0 }),
      await proxyTo(() => other.url),
    ]
    try {
      const { line, code } = await doctor({
        DATA_DIR: other.app.config.dataDir,
        METRICS_PORT: String(shown.port),
        BASE_URL: `http://127.0.0.1:${portOf(before)}`,
      })
      expect([code, line('proxy trust')]).toEqual([1, expect.stringMatching(/^MEND .*is not among TRUSTED_PROXIES/)])
    } finally {
      before.close()
      await shown.close()
      await other.stop()
    }
  })

  it('signs in at the mail server, and sends a letter where one is asked for', async () => {
    const smtp = await startSmtp()
    try {
      const able = await doctor({ ...env, SMTP_URL: smtp.url })
      expect(able.line('mail')).toMatch(/^ok .*lets this service in/)
      expect(smtp.received).toEqual([])
      const sent = await doctor({ ...env, SMTP_URL: smtp.url }, '--mail-to', 'someone@example.org')
      expect(sent.line('mail')).toMatch(/^ok .*has taken a letter/)
      expect(smtp.received.map(({ to }) => to)).toEqual([['someone@example.org']])
      smtp.refuse(554)
      const refused = await doctor({ ...env, SMTP_URL: smtp.url }, '--mail-to', 'someone@example.org')
      expect([refused.code, refused.line('mail')]).toEqual([
        1,
        expect.stringMatching(/^MEND .*554.* → look at SMTP_URL/),
      ])
    } finally {
      await smtp.stop()
    }
  })

  it('holds the disk against the interviews that are planned, in words', async () => {
    const { line } = await doctor(env, '--interviews-a-day', '1', '--minutes', '1', '--days', '1')
    expect(line('disk')).toMatch(/^ok .*1 interviews a day × 1 days × 4 MB = 4 MB of evidence.*enough/)
    const { code, line: tooMany } = await doctor(env, '--interviews-a-day', '10000000')
    expect([code, tooMany('disk')]).toEqual([1, expect.stringMatching(/^MEND .*full after 0 days → .*TB more/)])
    expect((await doctor(env, '--interviews-a-day', '0')).said).toContain('--interviews-a-day must be a whole number')
  })

  it('works where nothing else does, says why, and makes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'integrity-doctor-'))
    try {
      const dead = { DATA_DIR: join(folder, 'data'), BASE_URL: 'http://127.0.0.1:9', NODE_ENV: 'production' }
      const { code, line } = await doctor(dead)
      expect(code).toBe(1)
      expect(line('folder')).toMatch(/^MEND .*is not there → set DATA_DIR/)
      expect(line('database')).toMatch(/^MEND .*no database at/)
      expect(line('address')).toMatch(/^MEND .*cannot be reached from here: .*ECONNREFUSED.* → /)
      expect(line('mail')).toMatch(/^MEND .*SMTP_URL is not set/)
      const away = await doctor({ ...dead, DATABASE_URL: 'postgres://u:secret@127.0.0.1:9/none' })
      expect(away.line('database')).toMatch(/^MEND .*127\.0\.0\.1:9\/none: .*cannot be reached/)
      expect(away.said).not.toContain('secret')
      expect((await doctor({ PORT: 'many' })).line('settings')).toMatch(/^MEND .*PORT/)
      await writeFile(join(folder, 'file'), '')
      expect((await doctor({ ...dead, DATA_DIR: join(folder, 'file') })).line('folder')).toMatch(/^MEND /)
      expect(await readdir(folder)).toEqual(['file'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
