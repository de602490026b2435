import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { frozenPostgres } from '../../test-support/frozen-proxy.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'

describe.skipIf(!hasEngine('postgres'))('DATABASE_DIRECT_URL', { timeout: 60_000 }, () => {
  let server: TestServer
  let proxy: Awaited<ReturnType<typeof frozenPostgres>>
  beforeAll(async () => {
    server = await startServer({
      engine: 'postgres',
      beside: async (databaseUrl) => {
        proxy = await frozenPostgres(databaseUrl)
        return { DATABASE_DIRECT_URL: proxy.url }
      },
    })
  })
  afterAll(() => server.stop())

  const ready = async () => {
    server.clock.advance(3_000)
    const answer = await fetch(`${server.url}/v1/health/ready`)
    const { data } = (await answer.json()) as { data: { limited?: { path: string; message: string }[] } }
    return { status: answer.status, limited: data.limited }
  }
  const heard = async () => /^wake_ups_heard (\d)$/m.exec((await server.app.metrics.render()).text)?.[1]

  it('that is away is told in readiness, to Prometheus, in the log and by doctor; requests go on', async () => {
    expect([await ready(), await heard()]).toEqual([{ status: 200, limited: undefined }, '1'])
    await proxy.close()
    await until(async () => (await heard()) === '0')
    const message = expect.stringMatching(/^other processes are not heard at the address of DATABASE_DIRECT_URL: /)
    expect(await ready()).toEqual({ status: 200, limited: [{ path: 'wakeUps', message }] })
    expect(server.logLines.filter((line) => line.includes('other processes are not heard')).length).toBe(1)
    await server.client(server.orgs[0].liveKey).call('sessions.list')
    let said = ''
    const write = (text: string) => {
      said += text
    }
    const { dataDir, databaseUrl = '', databaseDirectUrl = '' } = server.app.config
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl }
    await runAdmin(['doctor'], { env, stdout: { write }, stderr: { write } })
    expect(said).toMatch(/^MEND +wake-ups .* look whether it runs and takes what DATABASE_DIRECT_URL says/m)
  })
})
