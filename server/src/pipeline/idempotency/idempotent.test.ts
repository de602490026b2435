import { type EndpointSpec, endpoints, ServiceError } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../../test/test-support/engines.ts'
import { startServer, type TestServer } from '../../../test/test-support/server.ts'
import type { Actor } from '../../kernel/identity/actor.ts'
import type { PipelineParts } from '../pipeline-parts.ts'
import { type KeyedRequest, once, type SentAnswer } from './idempotent.ts'

const endpoint = (endpoints as readonly EndpointSpec[]).find(({ id }) => id === 'sessions.create')!
const made: SentAnswer = { status: 201, text: '{"data":1}', headers: {}, replayed: false }

for (const engine of everyEngine())
  describe(`a request with a key (${engine})`, () => {
    let server: TestServer
    let app: PipelineParts
    beforeAll(async () => {
      server = await startServer({ engine })
      // What else the pipeline has is not asked for here.
      app = { ...server.app, runningKeys: new Set<string>() } as PipelineParts
    })
    afterAll(() => server.stop())

    const requestOf = (key: string): KeyedRequest => {
      const { orgId } = server.orgs[0]
      const actor: Actor = { kind: 'api_key', id: 'key_1', orgId, environment: 'sandbox', label: '', scopes: [] }
      return { endpoint, actor, params: {}, bodyHash: () => 'h', key, cookie: undefined, requestId: 'req_1' }
    }
    const nothing = () => Promise.resolve()
    const refusing = (headers: Record<string, string>) => {
      let times = 0
      return async (key: string) => {
        const work = () => {
          times += 1
          return Promise.reject(new ServiceError('conflict', 'not now', { headers }))
        }
        await expect(once(app, requestOf(key), work, nothing)).rejects.toMatchObject({ code: 'conflict' })
        return times
      }
    }

    it('is told to come back while the first one runs, and has its answer afterwards', async () => {
      const holding = Promise.withResolvers<void>()
      let times = 0
      const work = () => {
        times += 1
        return Promise.resolve(made)
      }
      const first = once(app, requestOf('running'), work, () => holding.promise)
      const second = once(app, requestOf('running'), work, nothing)
      await expect(second).rejects.toMatchObject({ code: 'conflict', headers: { 'Retry-After': '1' } })
      holding.resolve()
      expect(await first).toEqual(made)
      expect(await once(app, requestOf('running'), work, nothing)).toEqual({ ...made, replayed: true })
      expect(times).toBe(1)
    })

    it('is refused again without another look where the handler had decided', async () => {
      const ask = refusing({})
      expect(await ask('decided')).toBe(1)
      expect((await once(app, requestOf('decided'), () => Promise.resolve(made), nothing)).replayed).toBe(true)
    })

    it('is looked at again where the refusal said when to come back', async () => {
      const ask = refusing({ 'Retry-After': '1' })
      expect(await ask('later')).toBe(1)
      expect(await ask('later')).toBe(2)
      expect(await once(app, requestOf('later'), () => Promise.resolve(made), nothing)).toEqual(made)
    })
  })
