import type { EventType } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../../src/platform/log/log.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { startReceiver } from '../../test-support/webhook-receiver.ts'
import { scheduleSession } from '../../test-support/world.ts'
import { simulationsOf } from '../sandbox/sandbox.test-support.ts'

interface Line {
  readonly level: string
  readonly msg: string
  readonly requestId?: string
  readonly endpoint?: string
  readonly status?: number
  readonly kind?: string
  readonly jobId?: string
  readonly deliveryId?: string
  readonly attempt?: number
  readonly outcome?: string
  readonly statusCode?: number
}

/** A server that writes down everything, and a receiver of its own. */
const withServer = async (
  engine: 'sqlite' | 'postgres',
  level: 'debug' | 'info',
  work: (t: {
    server: TestServer
    receiver: Awaited<ReturnType<typeof startReceiver>>
    lines: () => Line[]
  }) => unknown,
): Promise<void> => {
  const written: string[] = []
  const log = createLog({ level, destination: { write: (line) => written.push(line) } })
  const server = await startServer({ engine, overrides: { log } })
  const receiver = await startReceiver(() => server.clock.now())
  try {
    await work({ server, receiver, lines: () => written.map((line) => JSON.parse(line) as Line) })
  } finally {
    await receiver.stop()
    await server.stop()
  }
}

const hookFor = (server: TestServer, url: string, events: readonly EventType[]) =>
  server.client(server.orgs[0].sandboxKey).call('webhooks.create', { body: { url, eventTypes: [...events] } })

const ask = async (server: TestServer, path: string, body: object): Promise<string> => {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.orgs[0].sandboxKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.text()).toBeLessThan(300)
  return answer.headers.get('x-request-id')!
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the request log (${engine})`, () => {
    it('has one id from a request through its jobs and their jobs to each attempt of their deliveries', async () => {
      await withServer(engine, 'debug', async ({ server, receiver, lines }) => {
        await hookFor(server, receiver.url, ['session.ended'])
        receiver.answer((_, index) => ({ status: index === 0 ? 500 : 204 }))
        const { id } = await scheduleSession(server.client(server.orgs[0].sandboxKey))
        const path = `/v1/api/sandbox/sessions/${id}/simulate`
        const requestId = await ask(server, path, {
          scenario: 'late_evidence',
          timeScale: 600,
          dated: 'as_played',
        })
        expect((await simulationsOf(() => server).play(id)).status).toBe('done')
        server.clock.advance(60_000)
        await server.processAll()
        const own = lines().filter((line) => line.requestId === requestId)
        expect(own.filter((line) => line.msg === 'a request')).toMatchObject([
          { level: 'debug', endpoint: 'sandbox.simulate', status: 202 },
        ])
        expect(own.filter((line) => line.kind === 'sandbox.step').length).toBeGreaterThan(3)
        expect(own.filter((line) => line.deliveryId !== undefined)).toMatchObject([
          { msg: 'a delivery will be tried again', attempt: 1, outcome: 'http_error', statusCode: 500 },
          { msg: 'a delivery has arrived', attempt: 2, outcome: 'success', statusCode: 204 },
        ])
      })
    })

    it('tells what was given up where the rest is not wanted, with the id of the request', async () => {
      await withServer(engine, 'info', async ({ server, receiver, lines }) => {
        const { data: hook } = await hookFor(server, receiver.url, ['webhook.test'])
        receiver.answer({ status: 410 })
        const requestId = await ask(server, `/v1/api/webhooks/${hook.id}/test`, {})
        for (let attempt = 0; attempt < 6; attempt++) {
          await server.processAll()
          server.clock.advance(24 * 3_600_000)
        }
        expect(lines().filter((line) => line.requestId === requestId)).toMatchObject([
          { level: 'warn', msg: 'a delivery was given up', attempt: 6, outcome: 'http_error', statusCode: 410 },
        ])
      })
    })
  })
