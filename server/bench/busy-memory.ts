import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { mallocSettings } from '../src/platform/malloc-settings.ts'
import {
  allCores,
  type Bench,
  type BenchServer,
  type Figure,
  liveSession,
  memberCookie,
  noCeilings,
  residentMiB,
  startBenchServer,
} from './harness.ts'
import { sendAll } from './ingest.ts'
import { agents, makeBatches } from './plain-rows.ts'
import { sendRepeated } from './upload.ts'

const MiB = 1024 * 1024
const rounds = 6
const stillsOfRound = 6
const restMs = 10_000
const goalMiB = 260

const ask = async (url: string, init: RequestInit): Promise<void> => {
  const answer = await fetch(url, init)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
}

/** A desktop's worth of a picture, unlike any other. */
const makeStill = (): Promise<Buffer> =>
  sharp(randomBytes(480 * 270 * 3), { raw: { width: 480, height: 270, channels: 3 } })
    .resize(1920, 1080, { kernel: 'nearest' })
    .webp({ quality: 40, effort: 0 })
    .toBuffer()

const sendStills = async (server: BenchServer, session: { id: string; token: string }): Promise<void> => {
  for (let n = 0; n < stillsOfRound; n += 1) {
    const body = await makeStill()
    const sha256 = createHash('sha256').update(body).digest('hex')
    const meta = { clientId: randomUUID(), capturedAt: new Date().toISOString(), sha256 }
    const headers = {
      authorization: `Bearer ${session.token}`,
      'content-type': 'image/webp',
      'x-service-evidence-meta': JSON.stringify(meta),
    }
    await ask(`${server.url}/v1/sessions/${session.id}/screenshots`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
  }
}

const readMuch = async (server: BenchServer, sessionId: string, cookie: string): Promise<void> => {
  const key = { authorization: `Bearer ${server.sandboxKey}` }
  for (const path of [
    `/v1/api/sessions/${sessionId}`,
    `/v1/api/sessions/${sessionId}/report`,
    '/v1/api/events?limit=100',
  ])
    for (let n = 0; n < 10; n += 1) await ask(server.url + path, { headers: key })
  await ask(`${server.url}/v1/sessions/${sessionId}/timeline?limit=100`, { headers: { cookie } })
}

/** Everything at once, and again: agents, stills that are decoded, a film in parts, readers. */
const keepBusy = async (server: BenchServer): Promise<number> => {
  const cookie = await memberCookie(server)
  const sessions = await Promise.all(Array.from({ length: agents }, () => liveSession(server)))
  let most = 0
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all([
      sendAll(server, makeBatches(agents * 40, 50)),
      sendRepeated(server, 64 * MiB),
      ...sessions.map((session) => sendStills(server, session)),
      ...sessions.slice(0, 4).map(({ id }) => readMuch(server, id, cookie)),
    ])
    most = Math.max(most, residentMiB(server.pid))
  }
  return most
}

export const busyMemory: Bench = {
  name: 'Memory of a busy server',
  what: `Rounds of 16 agents that send batches, 16 that send stills of 1920 × 1080, a film of 64 MiB in parts, and readers of reports and lists, all at once; SQLite, with the settings of memory that \`npm start\` gives. Then it rests for ${restMs / 1000} s.`,
  async run(): Promise<Figure[]> {
    const server = await startBenchServer({ ...noCeilings, ...mallocSettings }, allCores)
    try {
      const most = await keepBusy(server)
      await delay(restMs)
      const after = residentMiB(server.pid)
      return [
        { name: 'resident memory at the end of a round, at most', value: `${Math.round(most)} MiB` },
        {
          name: 'resident memory after the load',
          value: `${Math.round(after)} MiB`,
          goal: `≤ ${goalMiB} MiB`,
          met: after <= goalMiB,
        },
        { name: 'heap in use then', value: `${Math.round(await server.heapMiB())} MiB` },
      ]
    } finally {
      await server.stop()
    }
  },
}
