import { createClient } from '@integrity/protocol/client'
import { Pool } from 'undici'
import {
  type Bench,
  compared,
  cpuSeconds,
  type Figure,
  forkPinned,
  median,
  seconds,
  startBenchServer,
} from './harness.ts'

/** Enough for the kernel's ticks of 10 ms to be less than a twentieth of what bare Koa takes. */
const requests = 16_000
const connections = 32
const rounds = 5

export interface Target {
  readonly url: string
  readonly path: string
  readonly pid: number
  readonly headers: Record<string, string>
}

/** Requests for each CPU second of the server: the wall clock measures the neighbours too. */
const rate = async (target: Target): Promise<{ perCpu: number; perSecond: number }> => {
  const pool = new Pool(target.url, { connections, pipelining: 1 })
  let left = requests
  const before = cpuSeconds(target.pid)
  const wall = await seconds(() =>
    Promise.all(
      Array.from({ length: connections }, async () => {
        while (left-- > 0) {
          const answer = await pool.request({ method: 'GET', path: target.path, headers: target.headers })
          await answer.body.text()
          if (answer.statusCode !== 200) throw new Error(`${target.path} answered ${answer.statusCode}`)
        }
      }),
    ),
  )
  const cpu = cpuSeconds(target.pid) - before
  await pool.close()
  return { perCpu: requests / cpu, perSecond: requests / wall }
}

export const interleaved = async (targets: readonly Target[]) => {
  const results = targets.map(() => ({ perCpu: [] as number[], perSecond: [] as number[] }))
  for (let round = 0; round <= rounds; round++)
    for (const [index, target] of targets.entries()) {
      const result = await rate(target)
      if (round === 0) continue
      results[index]?.perCpu.push(result.perCpu)
      results[index]?.perSecond.push(result.perSecond)
    }
  return results.map((r) => ({ perCpu: median(r.perCpu), perSecond: median(r.perSecond) }))
}

export const getSession: Bench = {
  name: 'GET of one session with an API key',
  what: 'The whole pipeline (routing over all declared endpoints, key, scope, ceilings, query, answer check) against a bare Koa with one route that answers the same bytes. Runs interleaved, the client on the other core.',
  async run() {
    const server = await startBenchServer()
    const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
    const { data } = await api.call('sessions.create', { body: { externalId: 'bench' } })
    const headers = { authorization: `Bearer ${server.sandboxKey}` }
    const ours = { url: server.url, path: `/v1/api/sessions/${data.id}`, pid: server.pid, headers }
    const answer = await fetch(ours.url + ours.path, { headers })
    const bare = await forkPinned<{ url: string; pid: number }>('./bare-koa.ts', { ANSWER: await answer.text() })
    try {
      const [one, plain] = await interleaved([ours, { url: bare.hello.url, path: '/', pid: bare.hello.pid, headers }])
      const figures: Figure[] = [
        compared(
          'requests for each server CPU second against bare Koa',
          one?.perCpu ?? 0,
          plain?.perCpu ?? 1,
          '/cpu-s',
          { atLeast: 0.5 },
        ),
        compared('requests a second (wall) against bare Koa', one?.perSecond ?? 0, plain?.perSecond ?? 1, '/s', {
          atLeast: 0.5,
        }),
      ]
      return figures
    } finally {
      bare.child.disconnect()
      await server.stop()
    }
  },
}
