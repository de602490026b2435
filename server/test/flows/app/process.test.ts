import { rename } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { createClient } from '@integrity/client/every-endpoint'
import { describe, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { inTerminal, useProcesses } from '../../test-support/processes.ts'

const { at, run, start } = useProcesses()

/** Whether a new connection is still taken. */
const accepts = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = net.connect(Number(port), hostname, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const health = (url: string) => createClient({ baseUrl: url }).call('health.ready')

describe('the server process', () => {
  it.each([
    ['without a terminal', {}],
    ['in production', { ...inTerminal, NODE_ENV: 'production' }],
  ] as const)('makes no demo organisation %s, and says how to make one of your own', async (_, env) => {
    const { child } = await start(env)
    await child.printed(/admin -- bootstrap --org/)
    expect(child.output()).not.toContain('sk_test_')
  })

  it('makes a demo organisation on a first start, whose key works, and none on a second', async () => {
    const first = await start()
    const key = await first.child.printed(/sandbox key +(sk_test_\S+)/)
    const me = await createClient({ baseUrl: first.url, token: key }).call('orgs.me')
    expect(me.data).toMatchObject({ environment: 'sandbox', org: { name: 'Demo' } })
    first.child.process.kill('SIGTERM')
    expect(await first.child.ended).toBe(0)
    const second = await start()
    expect((await createClient({ baseUrl: second.url, token: key }).call('orgs.me')).data).toEqual(me.data)
    expect((await health(second.url)).data.status).toBe('ready')
    expect(second.child.output()).not.toContain('first start')
  })

  it('answers what it has begun after SIGTERM, takes nothing new, and ends with 0', async () => {
    const { child, url } = await start()
    const key = await child.printed(/sandbox key +(sk_test_\S+)/)
    const body = JSON.stringify({ externalId: 'REQ-drain' })
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const request = http.request(`${url}/v1/api/sessions`, {
      method: 'POST',
      headers: { ...headers, expect: '100-continue' },
    })
    const answered = new Promise<number | undefined>((resolve, reject) => {
      request.once('response', (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.once('error', reject)
    })
    request.flushHeaders()
    // The server says to go on only once the request has reached it.
    await new Promise((resolve) => request.once('continue', resolve))
    request.write(body.slice(0, 5))
    child.process.kill('SIGTERM')
    await child.printed(/stopping/)
    // The listener closes once the streams have had their word; asked again and again until it has.
    while (await accepts(url));
    request.end(body.slice(5))
    expect(await answered).toBe(201)
    expect(await child.ended).toBe(0)
    const again = await start()
    const { data } = await createClient({ baseUrl: again.url, token: key }).call('sessions.list')
    expect(data.items.map((session) => session.externalId)).toEqual(['REQ-drain'])
  })

  it('ends an open event stream on SIGTERM', async () => {
    const { child, url } = await start()
    const key = await child.printed(/sandbox key +(sk_test_\S+)/)
    const stream = await fetch(`${url}/v1/api/events/stream`, { headers: { authorization: `Bearer ${key}` } })
    expect(stream.status).toBe(200)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
    await stream.text().catch(() => '')
  })

  it('names every wrong setting at once, shows no secret, and ends with 1', async () => {
    const child = run('main.ts', [], {
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      MASTER_KEY: 'not-a-master-key',
      DATABASE_URL: 'mysql://user:hunter2@db/x',
      BASE_URL: 'ftp://example.org',
    })
    expect(await child.ended).toBe(1)
    for (const name of ['PORT', 'LOG_LEVEL', 'MASTER_KEY', 'DATABASE_URL', 'BASE_URL'])
      expect(child.output()).toContain(name)
    expect(child.output()).toContain('"eighty"')
    for (const secret of ['not-a-master-key', 'hunter2']) expect(child.output()).not.toContain(secret)
  })

  it('makes no other master key beside its database, and refuses to start with one, in words', async () => {
    const first = await start()
    await first.child.printed(/sandbox key/)
    await health(first.url)
    first.child.process.kill('SIGTERM')
    expect(await first.child.ended).toBe(0)
    await rename(at('master.key'), at('kept.key'))
    const without = run('main.ts')
    expect(await without.ended).toBe(1)
    expect(without.output()).toMatch(/written under master key [0-9a-f]{8}, and there is no key here/)
    const other = run('main.ts', [], { MASTER_KEY: 'ab'.repeat(32) })
    expect(await other.ended).toBe(1)
    expect(other.output()).toMatch(/written under master key [0-9a-f]{8}, and this process holds [0-9a-f]{8}/)
    const admin = run('app/admin.ts', ['audit', 'verify', '--org', 'org_1'])
    expect(await admin.ended).toBe(1)
    for (const child of [without, other, admin]) expect(child.output()).not.toContain('    at ')
    await rename(at('kept.key'), at('master.key'))
    expect((await health((await start()).url)).data.status).toBe('ready')
  })

  it('says so when its port is taken', async () => {
    const { url } = await start()
    const other = run('main.ts', [], { PORT: new URL(url).port, METRICS_PORT: '0', DATA_DIR: at('other') })
    expect(await other.ended).toBe(1)
    expect(other.output()).toMatch(
      /^Port \d+ is taken by another program: end that one, or set PORT to another one\.$/m,
    )
    expect(other.output()).not.toContain('    at ')
  })
})

describe('the admin command', () => {
  it('makes an organisation while the server runs on the same file, and its keys work at once', async () => {
    const { child, url } = await start()
    await child.printed(/sandbox key/)
    const admin = run('app/admin.ts', [
      'bootstrap',
      '--org',
      'Acme',
      '--email',
      'a@acme.example',
      '--password',
      'correct horse battery',
      '--json',
    ])
    expect(await admin.ended, admin.output()).toBe(0)
    const made = JSON.parse(admin.output()) as { orgId: string; liveKey: string; sandboxKey: string }
    const { data } = await createClient({ baseUrl: url, token: made.liveKey }).call('orgs.me')
    expect(data).toMatchObject({ environment: 'live', org: { id: made.orgId, name: 'Acme', slug: 'acme' } })
    await createClient({ baseUrl: url, token: made.sandboxKey }).call('sessions.create')
    const verified = run('app/admin.ts', ['audit', 'verify', '--org', made.orgId])
    expect(await verified.ended, verified.output()).toBe(0)
    expect(verified.output()).toMatch(/the chain holds: \d+ rows/)
  })

  it('refuses an account that exists, a short password and missing options, in words', async () => {
    const bootstrap = async (...options: string[]) => {
      let said = ''
      const write = (text: string) => {
        said += text
      }
      const surroundings = { env: { DATA_DIR: at('refused') }, stdout: { write }, stderr: { write } }
      return { code: await runAdmin(['bootstrap', ...options], surroundings), said }
    }
    const good = ['--org', 'Acme', '--email', 'a@acme.example', '--password', 'correct horse battery']
    expect((await bootstrap(...good)).code).toBe(0)
    for (const [options, words] of [
      [good, 'already has an account'],
      [['--org', 'Acme', '--email', 'b@acme.example', '--password', 'short'], 'at least 15 characters'],
      [['--org', 'Acme', '--email', 'nobody', '--password', 'correct horse battery'], 'not an e-mail address'],
      [['--org', 'Acme', '--email', 'b@acme.example'], 'no password'],
      [['--password', 'correct horse battery'], '--org, --email'],
      [['--unknown', 'x'], '--unknown'],
    ] as const) {
      const { code, said } = await bootstrap(...options)
      expect(code, said).toBe(1)
      expect(said).toContain(words)
      expect(said).not.toContain('    at ')
    }
    const usage = run('app/admin.ts', ['dance'])
    expect(await usage.ended).toBe(2)
    expect(usage.output()).toContain('bootstrap --org')
  })
})
