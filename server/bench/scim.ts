import { type Bench, type BenchServer, type Figure, noCeilings, p95, startBenchServer } from './harness.ts'

/** What `server-process.ts` says besides, with BENCH_SCIM. */
type WithToken = BenchServer & { readonly scimToken: string }

const users = 50_000
const goalMs = 10
const rounds = 60

const figure = async (name: string, ask: (round: number) => Promise<number>): Promise<Figure> => {
  // The first hundred answers are all checked against their declaration, later ones now and then.
  for (let round = 0; round < 110; round++) await ask(round)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await ask(round))
  const ms = p95(times)
  return { name: `${name}: p95`, value: `${ms.toFixed(1)} ms`, goal: `≤ ${goalMs} ms`, met: ms <= goalMs }
}

export const scim: Bench = {
  name: 'Provisioning by an identity provider',
  what: 'SCIM of an organisation with 50,000 members, of all of whom the identity provider has said something: pages of 100 through HTTP, and the search for one by name, as it comes before each change.',
  async run() {
    const server = (await startBenchServer({ ...noCeilings, BENCH_SCIM: String(users) })) as WithToken
    const get = async (query: string): Promise<number> => {
      const headers = { authorization: `Bearer ${server.scimToken}` }
      const started = performance.now()
      const answer = await fetch(`${server.url}/scim/v2/Users?${query}`, { headers })
      const text = await answer.text()
      const ms = performance.now() - started
      if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${text.slice(0, 200)}`)
      return ms
    }
    try {
      return [
        await figure('first pages of 100', (round) => get(`startIndex=${1 + round * 100}&count=100`)),
        await figure('pages of 100 in the middle', (round) => get(`startIndex=${users / 2 + round * 10}&count=100`)),
        await figure('last pages of 100', (round) => get(`startIndex=${users - 100 * (round + 1)}&count=100`)),
        await figure('one by userName', (round) =>
          get(`filter=${encodeURIComponent(`userName eq "P${round * 700}@example.org"`)}`),
        ),
      ]
    } finally {
      await server.stop()
    }
  },
}
