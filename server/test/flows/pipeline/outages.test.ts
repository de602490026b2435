import { describe, expect, it } from 'vitest'
import { LocalStore } from '../../../src/platform/storage/local.store.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import type { TestServer } from '../../test-support/server.ts'
import { useServers } from './pipeline.test-support.ts'

const start = useServers()

const readiness = async (server: TestServer) => {
  server.clock.advance(2000)
  return refusalOf(server.client().call('health.ready'))
}
const counted = async (server: TestServer, cause: string): Promise<boolean> =>
  new RegExp(`outages_total\\{cause="${cause}"\\} [1-9]`).test((await server.app.metrics.render()).text)

describe('a full disk', () => {
  it('under the database refuses writes in words, is told by readiness and a metric, and passes', async () => {
    const server = await start()
    const api = server.client(server.orgs[0].sandboxKey)
    const pages = (limit: number | string) => server.app.db.transact((tx) => tx.all(`PRAGMA max_page_count = ${limit}`))
    // Never less than what is there already: the next page is one too many.
    await pages(1)
    const create = () => api.call('sessions.create', { body: { candidateLabel: 'x'.repeat(200) } })
    const fill = async () => {
      for (let n = 0; n < 200; n++) await create()
    }
    expect(await refusalOf(fill())).toMatchObject({
      code: 'service_unavailable',
      status: 503,
      message: expect.stringContaining('the disk is full'),
      retryAfterMs: 10_000,
    })
    expect(await counted(server, 'disk_full')).toBe(true)
    expect((await api.call('sessions.list')).status).toBe(200)
    await pages(1_000_000)
    expect((await create()).status).toBe(201)
    server.clock.advance(2000)
    expect((await server.client().call('health.ready')).data.status).toBe('ready')
  })

  it('under the store keeps the process ready for what is read, says so, and is counted', async () => {
    class FullStore extends LocalStore {
      override put(): Promise<void> {
        return Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
      }
    }
    const server = await start({ overrides: { store: new FullStore('/nowhere') } })
    server.clock.advance(2000)
    const { status, data } = await server.client().call('health.ready')
    expect([status, data.limited]).toEqual([200, [{ path: 'store', message: 'the disk is full' }]])
    expect(Object.keys(data.checks)).toEqual(expect.arrayContaining(['database', 'masterKey']))
    expect(Object.keys(data.checks)).not.toContain('store')
    expect(await counted(server, 'disk_full')).toBe(true)
  })

  it.each([
    ['EROFS', 'disk_read_only', 'the disk cannot be written to'],
    ['EIO', 'disk_failing', 'the disk fails to read or write'],
  ])(
    'or one that cannot be used (%s) under the store is named by readiness and a metric',
    async (code, cause, words) => {
      class FailingStore extends LocalStore {
        override put(): Promise<void> {
          return Promise.reject(Object.assign(new Error(code), { code }))
        }
      }
      const server = await start({ overrides: { store: new FailingStore('/nowhere') } })
      expect(await readiness(server)).toMatchObject({ status: 503, details: [{ path: 'store', message: words }] })
      expect(await counted(server, cause)).toBe(true)
    },
  )
})

describeEachDatabase('readiness', (_open, engine) => {
  it('writes to the database, and says when that cannot be done, or when it belongs to another master key', async () => {
    const server = await start({ engine })
    await server.app.db.transact((tx) => tx.run("UPDATE master_key_names SET root_id = '00000000'"))
    expect(await readiness(server)).toMatchObject({
      details: [{ path: 'masterKey', message: expect.stringContaining('written under master key 00000000') }],
    })
    await server.app.db.transact((tx) => tx.run('DROP TABLE master_key_names'))
    const { details } = await readiness(server)
    expect(details).toContainEqual({ path: 'database', message: 'cannot be used' })
  })
})
