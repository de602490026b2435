import { createClient } from '@integrity/client/every-endpoint'
import { Agent, fetch as send } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { type Nginx, startNginx } from '../../test-support/nginx.ts'
import { type Demo, type ServerProcess, startProcess, startProcesses } from '../../test-support/scale-processes.ts'

describe.skipIf(!hasEngine('postgres'))('two processes behind the nginx of the example', () => {
  let database: FreshDatabase
  let processes: ServerProcess[] = []
  let demo: Demo
  let nginx: Nginx
  let agent: Agent
  let env: Record<string, string>
  beforeAll(async () => {
    database = await freshDatabase('postgres')
    env = { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir, TRUSTED_PROXIES: '127.0.0.1' }
    const started = await startProcesses(2, env)
    demo = started
    processes = [...started.processes]
    nginx = await startNginx(processes[0]!.url, processes[1]!.url)
    agent = new Agent({ connect: { ca: nginx.certificate, checkServerIdentity: () => undefined } })
  }, 120_000)
  afterAll(async () => {
    await agent.close()
    await nginx.stop()
    await Promise.all(processes.map((process) => process.end('SIGKILL')))
    await database.drop()
  })
  const through = ((url: string, init: object) => send(url, { ...init, dispatcher: agent })) as unknown as typeof fetch
  const api = () => createClient({ baseUrl: nginx.url, token: demo.key, fetch: through })
  const restart = async (at: number) => {
    processes[at] = await startProcess({ ...env, PORT: String(processes[at]!.port) })
  }
  const list = async () =>
    (await through(`${nginx.url}/v1/api/sessions`, { headers: { authorization: `Bearer ${demo.key}` } })).status

  it('both of which are asked, and know of each other what was written', async () => {
    const written: string[] = []
    for (let n = 0; n < 6; n++) {
      const { data } = await api().call('sessions.create', { body: { externalId: `behind-${n}` } })
      written.push(data.id)
      expect((await api().call('sessions.get', { params: { id: data.id } })).data.externalId).toBe(`behind-${n}`)
    }
    expect(new Set(written).size).toBe(6)
    // Whoever stands alone answers nobody else's half.
    await processes[1]!.end('SIGTERM')
    for (let n = 0; n < 6; n++) expect(await list()).toBe(200)
    await restart(1)
    await processes[0]!.end('SIGTERM')
    for (let n = 0; n < 6; n++) expect(await list()).toBe(200)
    await restart(0)
  }, 120_000)

  it('of which one is killed: what is read is answered by the other', async () => {
    for (const at of [0, 1]) {
      await processes[at]!.end('SIGKILL')
      for (let n = 0; n < 8; n++) expect(await list()).toBe(200)
      await restart(at)
    }
  }, 120_000)

  it('both of which are gone: it says so in the form of the service, and uses each at once when it is back', async () => {
    await Promise.all(processes.map((process) => process.end('SIGKILL')))
    for (let n = 0; n < 4; n++) {
      const answer = await through(`${nginx.url}/v1/api/sessions`, {})
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await answer.json()).toMatchObject({ success: false, error: { code: 'service_unavailable' } })
    }
    // nginx by its own default would leave both alone for ten seconds.
    await restart(0)
    for (let n = 0; n < 8; n++) expect(await list()).toBe(200)
    await restart(1)
    for (let n = 0; n < 8; n++) expect(await list()).toBe(200)
  }, 120_000)
})
