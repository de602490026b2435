import { createClient } from '@integrity/client/every-endpoint'
import { interleaved } from './get-session.ts'
import { type Bench, type BenchServer, compared, noCeilings, startBenchServer } from './harness.ts'

/** What `server-process.ts` says besides, with BENCH_MEMBERS. */
type WithMembers = BenchServer & { readonly builtIn: string; readonly custom: string }

export const roles: Bench = {
  name: 'A portal request by a custom role',
  what: 'GET of one session’s schedule by two members who may do the same: one by the built-in role, one by a custom role that is read with the membership at each request. One server, rounds interleaved.',
  async run() {
    const server = (await startBenchServer({ ...noCeilings, BENCH_MEMBERS: '1' })) as WithMembers
    try {
      const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
      const { data } = await api.call('sessions.create', { body: { externalId: 'bench' } })
      const path = `/v1/orgs/${server.orgId}/sessions/${data.id}/scheduling`
      const target = (cookie: string) => ({ url: server.url, path, pid: server.pid, headers: { cookie } })
      const [custom, builtIn] = await interleaved([target(server.custom), target(server.builtIn)])
      const cost = (perCpu = 0) => 1e6 / perCpu
      const name = 'processor time of a request, against one by a built-in role'
      return [compared(name, cost(custom?.perCpu), cost(builtIn?.perCpu), 'µs', { atMost: 1.15 })]
    } finally {
      await server.stop()
    }
  },
}
