import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type EndpointSpec, endpoints } from '@integrity/protocol'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { specOf } from '../../../test/test-support/examples.ts'
import { send } from '../../../test/test-support/send.ts'
import { startServer, type TestServer } from '../../../test/test-support/server.ts'
import { scheduleSession } from '../../../test/test-support/world.ts'
import { mayCompress } from './compress.ts'

const all = endpoints as readonly EndpointSpec[]
const namesOf = (schema: unknown): string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([key, value]) => [
        ...(key === 'properties' ? Object.keys(value as object) : []),
        ...namesOf(value),
      ])

describe('an answer in fewer bytes', () => {
  let server: TestServer
  const authorization = () => `Bearer ${server.orgs[0].sandboxKey}`
  beforeAll(async () => {
    server = await startServer({})
    for (let n = 0; n < 3; n++) await scheduleSession(server.client(server.orgs[0].sandboxKey), {})
  })
  afterAll(() => server.stop())

  const ask = async (encoding: string, path = '/v1/api/sessions', method: 'GET' | 'HEAD' = 'GET') => {
    const headers = { authorization: authorization(), 'accept-encoding': encoding }
    const answer = await request(server.url + path, { method, headers })
    return { headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) }
  }

  it('is the same text, in the encoding that the client prefers', async () => {
    const plain = await ask('identity')
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'Accept-Encoding'])
    for (const [encoding, open] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await ask(`${encoding}, identity;q=0.1`)
      expect([headers['content-encoding'], headers['content-length']]).toEqual([encoding, String(bytes.length)])
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(open(bytes).equals(plain.bytes)).toBe(true)
      const head = await ask(encoding, '/v1/api/sessions', 'HEAD')
      expect([head.headers['content-length'], head.bytes.length]).toEqual([String(bytes.length), 0])
    }
    expect((await ask('br;q=0, gzip;q=0')).headers['content-encoding']).toBeUndefined()
  })

  it('is not sent where there is little to save', async () => {
    expect((await ask('gzip', '/v1/api/me')).headers['content-encoding']).toBeUndefined()
  })

  it('is never one that holds a secret: what is answered to a write is sent as it is', async () => {
    const headers = { authorization: authorization(), 'accept-encoding': 'gzip, br' }
    const created = await send(server.url, specOf('sessions.create'), { headers })
    expect(created.text).toContain('agentJoinToken')
    expect(created.headers.get('content-encoding')).toBeNull()
    const secret = /token|secret|joinCode|password|^url$/i
    const held = all
      .filter((spec) => mayCompress(spec))
      .flatMap(({ id, response }) =>
        namesOf(z.toJSONSchema(response, { unrepresentable: 'any' }))
          .filter((name) => secret.test(name))
          .map((name) => `${id} ${name}`),
      )
    // Where a webhook is sent to and where a meeting is held: an organisation's own words, and no credentials of ours. `…Until` and `…Since` are times,
    // and what a time-stamp authority answered is for everybody to check.
    const isNone = (name: string) => / url$|Until$|Since$/.test(name) || name === 'portal.timestamps.get token'
    expect([...new Set(held)].filter((name) => !isNone(name))).toEqual([])
    for (const spec of all.filter((spec) => mayCompress(spec)))
      expect([spec.method, spec.kind ?? 'json'], spec.id).toEqual(['GET', 'json'])
  })
})
