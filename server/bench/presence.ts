import { randomUUID } from 'node:crypto'
import { createClient } from '@integrity/client/every-endpoint'
import { Pool } from 'undici'
import { type Bench, type BenchServer, cpuSeconds, noCeilings, startBenchServer } from './harness.ts'

const phones = 2000
const intervalMs = 10_000
const rounds = 3
/** Requests under way while the phones are paired. */
const pairing = 16
const goalMs = 100

interface Phone {
  readonly sessionId: string
  readonly token: string
}

/** A phone that has agreed to the side view of a session of its own. */
const pair = async ({ url, sandboxKey }: BenchServer): Promise<Phone> => {
  const api = createClient({ baseUrl: url, token: sandboxKey })
  const body = { config: { sideView: { enabled: true, recording: true } } }
  const session = (await api.call('sessions.create', { body })).data
  const link = { params: { id: session.id }, body: { role: 'companion' } } as const
  const { joinCode } = (await api.call('sessions.joinLinks.create', link)).data
  const { data } = await createClient({ baseUrl: url }).call('pairings.claim', { params: { joinCode } })
  const { version, hash: documentHash } = data.consentDocument
  const acceptedAt = new Date().toISOString()
  const answer = { version, locale: 'en', documentHash, accepted: true, acceptedAt }
  const phone = createClient({ baseUrl: url, token: data.companionToken })
  await phone.call('pairings.consent', { params: { sessionId: session.id }, body: answer })
  return { sessionId: session.id, token: data.companionToken }
}

const pairAll = async (server: BenchServer): Promise<Phone[]> => {
  const paired: Phone[] = []
  let left = phones
  await Promise.all(
    Array.from({ length: pairing }, async () => {
      while (left-- > 0) paired.push(await pair(server))
    }),
  )
  return paired
}

const beat = () => ({
  clientId: randomUUID(),
  at: new Date().toISOString(),
  battery: 0.8,
  charging: true,
  network: 'wifi',
  orientation: 'portrait',
  foreground: true,
  recording: 'on',
})

/**
 * Each phone speaks once an interval, all of them spread evenly over it. Answers milliseconds from when each batch was
 * due, so that a server that falls behind is not measured only where it keeps up.
 */
const speak = async (pool: Pool, paired: readonly Phone[]): Promise<number[]> => {
  const took: number[] = []
  const begun = performance.now()
  const send = async ({ sessionId, token }: Phone, due: number): Promise<void> => {
    const answer = await pool.request({
      method: 'POST',
      path: `/v1/pairings/${sessionId}/presence`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ beats: [beat()] }),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(text)
    took.push(performance.now() - due)
  }
  const sent: Promise<void>[] = []
  for (const [index, phone] of paired.entries()) {
    const due = begun + (index / paired.length) * intervalMs
    const wait = due - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    sent.push(send(phone, due))
  }
  await Promise.all(sent)
  return took
}

export const presence: Bench = {
  name: 'Beats of phones',
  what: `${phones.toLocaleString('en')} paired phones, each with one batch of one beat every ${intervalMs / 1000} s, over ${(rounds * intervalMs) / 1000} s; the server on one core with SQLite, the phones on the other. Times count from when a batch was due.`,
  async run() {
    const server = await startBenchServer(noCeilings)
    const pool = new Pool(server.url, { connections: 64, pipelining: 1 })
    try {
      const paired = await pairAll(server)
      await speak(pool, paired)
      const before = cpuSeconds(server.pid)
      const begun = performance.now()
      const took: number[] = []
      for (let round = 0; round < rounds; round++) took.push(...(await speak(pool, paired)))
      const busy = (cpuSeconds(server.pid) - before) / ((performance.now() - begun) / 1000)
      took.sort((a, b) => a - b)
      const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN
      return [
        {
          name: 'p99 from due to answered',
          value: `${at(0.99).toFixed(1)} ms`,
          goal: `< ${goalMs} ms`,
          met: at(0.99) < goalMs,
        },
        { name: 'median', value: `${at(0.5).toFixed(1)} ms` },
        { name: 'share of the core', value: `${(busy * 100).toFixed(0)} %` },
      ]
    } finally {
      await pool.close()
      await server.stop()
    }
  },
}
