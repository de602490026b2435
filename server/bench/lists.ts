import { randomUUID } from 'node:crypto'
import { createClient } from '@integrity/client/every-endpoint'
import { type Bench, compared, liveSession, median, noCeilings, seconds, startBenchServer } from './harness.ts'

const rows = 100_100
const looks = 40

export const lists: Bench = {
  name: 'A list far from its beginning',
  what: 'Integrity events of one session, 100 rows at offset 100,000 against offset 0, through HTTP; the total is a kept count.',
  async run() {
    const server = await startBenchServer(noCeilings)
    try {
      const session = await liveSession(server)
      const agent = createClient({ baseUrl: server.url, token: session.token })
      for (let sent = 0; sent < rows; sent += 500) {
        const events = Array.from({ length: Math.min(500, rows - sent) }, () => ({
          clientId: randomUUID(),
          kind: 'idle.started',
          observedAt: new Date().toISOString(),
          source: 'bench',
        }))
        await agent.call('agent.events.ingest', { params: { id: session.id }, body: { events } })
      }
      const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
      const look = async (offset: number): Promise<number> => {
        const page = { params: { id: session.id }, query: { limit: 100, offset } }
        return seconds(async () => {
          const { data } = await api.call('sessions.events.list', page)
          if (data.items.length !== 100) throw new Error(`offset ${offset} gave ${data.items.length} rows`)
        })
      }
      const near: number[] = []
      const far: number[] = []
      for (let n = 0; n < looks; n++) {
        near.push(await look(0))
        far.push(await look(100_000))
      }
      return [
        compared('time at offset 100,000 against offset 0', median(far) * 1000, median(near) * 1000, 'ms', {
          atMost: 1.5,
        }),
      ]
    } finally {
      await server.stop()
    }
  },
}
