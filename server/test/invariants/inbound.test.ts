import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeExample, specOf } from '../test-support/examples.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, expectHouseRules } from './common.ts'

const inbound = allIds.filter((id) => specOf(id).signed)
const mebibyte = 1024 * 1024
const perAddress = 12

/** What comes over the wire from a provider: each endpoint whose sender signs. */
describe('what a provider sends', () => {
  let server: TestServer
  let world: World
  beforeAll(async () => {
    server = await startServer({})
    world = await buildWorld(server)
  })
  afterAll(() => server.stop())

  it('comes to somewhere', () => expect(inbound.length).toBeGreaterThan(0))

  for (const id of inbound)
    describe(id, () => {
      const spec = specOf(id)
      const text = async () => {
        const example = await makeExample(world, id)
        expect(typeof example.payload).toBe('string')
        return { example, payload: String(example.payload) }
      }

      it('is refused before it is looked at where it is larger than said, which is a mebibyte at most', async () => {
        const { example } = await text()
        const most = spec.maxBodyBytes ?? Number.NaN
        expect(most).toBeLessThanOrEqual(mebibyte)
        const answer = await send(server.url, spec, { ...example, payload: JSON.stringify({ x: 'x'.repeat(most) }) })
        expectHouseRules(spec, answer)
        expect(answer.status).toBe(413)
      })

      it('is parsed only once its signature holds: of a stranger nothing is said of the JSON', async () => {
        const { example } = await text()
        for (const payload of ['{', '[]', '{"a":1}', JSON.stringify(Array(20_000).fill(1)), '{"a":"\\ud800"}']) {
          const answer = await send(server.url, spec, { ...example, payload })
          expectHouseRules(spec, answer)
          expect(answer.status, answer.text).toBe(401)
        }
      })

      it('is taken by its very bytes: the same JSON in other ones is not what was signed', async () => {
        const { example, payload } = await text()
        for (const other of [`${payload} `, payload.replace('{', '{ '), payload.replace(/.\}$/, (end) => `${end}\n`)]) {
          expect(() => JSON.parse(other)).not.toThrow()
          const answer = await send(server.url, spec, { ...example, payload: other })
          expectHouseRules(spec, answer)
          expect(answer.status, other.slice(0, 80)).toBe(401)
        }
        expect(spec.success as readonly number[]).toContain((await send(server.url, spec, example)).status)
      })

      it('is told to wait when there is too much of it from one address', async () => {
        const tight = await startServer({ limits: { perAddress } })
        try {
          const request = { params: {}, headers: { 'content-type': 'application/json' }, payload: '{}' }
          const seen: number[] = []
          for (let n = 0; n <= perAddress; n += 1) seen.push((await send(tight.url, spec, request)).status)
          expect(seen.at(-1)).toBe(429)
        } finally {
          await tight.stop()
        }
      })
    })
})
