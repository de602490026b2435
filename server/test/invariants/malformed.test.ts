import { bodyLimitOf, type EndpointId, type EndpointSpec } from '@integrity/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import type { Engine } from '../../src/platform/db/dialect.ts'
import { casesInTurn, everyEngine } from '../test-support/engines.ts'
import { type Example, makeExample, specOf, withJson } from '../test-support/examples.ts'
import { proofSize } from '../test-support/proof.ts'
import { brokenFrom, validFor } from '../test-support/schema-arbitrary.ts'
import { failureOf, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, expectHouseRules, seedOf } from './common.ts'

const withBody = allIds.filter((id) => specOf(id).body && !specOf(id).form)
const withForms = allIds.filter((id) => specOf(id).form)
const withUpload = allIds.filter((id) => specOf(id).upload)
const withQuery = allIds.filter((id) => specOf(id).query)

/** `FUZZ=20` looks longer. */
const times = Number(process.env['FUZZ'] ?? 1)
const sizes = proofSize({ small: { sqlite: 6, postgres: 3 }, large: { sqlite: 15, postgres: 5 } })
const runs: Record<Engine, number> = { sqlite: sizes.sqlite * times, postgres: sizes.postgres * times }
const json = { 'content-type': 'application/json' }

/** What would stand in the way of everything after it. */
const undone: Partial<Record<EndpointId, object>> = { 'portal.retention.hold': { on: false } }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Bodies that are no request at all. */
const noRequest: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '{',
  'null',
  '[]',
  '"text"',
  '5',
  'true',
  '\u0000',
  '{"a":1}{"b":2}',
  Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]),
  '['.repeat(100_000) + ']'.repeat(100_000),
]

for (const engine of everyEngine())
  describe(`a malformed request (${engine})`, () => {
    let server: TestServer
    let world: World

    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
    })
    afterAll(() => server.stop())

    const sendChecked = async (spec: EndpointSpec, request: Example) => {
      const answer = await send(server.url, spec, request)
      expectHouseRules(spec, answer)
      return answer
    }

    /** Every generated value is refused in words or taken as declared. */
    const checkAll = async (
      id: EndpointId,
      values: fc.Arbitrary<unknown>,
      toRequest: (value: unknown, example: Example) => Example,
    ) => {
      const spec = specOf(id)
      const example = await makeExample(world, id)
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          await sendChecked(spec, toRequest(value, example))
        }),
        { numRuns: runs[engine], seed: seedOf(id), endOnFailure: true },
      )
      const undoing = undone[id]
      if (undoing) await send(server.url, spec, withJson(example, undoing))
    }

    for (const id of casesInTurn(engine, withBody)) {
      const schema = specOf(id).body as z.ZodType
      it(`to ${id}: a body of its schema is taken, or refused as declared`, () =>
        checkAll(id, validFor(schema), (value, example) => withJson(example, value)))

      it(`to ${id}: a broken body is refused with the path of each problem, or taken as declared`, () =>
        checkAll(id, brokenFrom(validFor(schema)), (value, example) => withJson(example, value)))

      it(`to ${id}: the example with one thing broken is refused with the path, or taken as declared`, async () => {
        const { json: good } = await makeExample(world, id)
        await checkAll(id, brokenFrom(fc.constant(good)), (value, example) => withJson(example, value))
      })

      // What follows is refused before any database is asked for more than whose credential it is.
      if (engine === 'postgres') continue

      it(`to ${id}: what is not a JSON object is refused`, async () => {
        const example = await makeExample(world, id)
        for (const payload of noRequest) {
          const answer = await sendChecked(specOf(id), {
            ...example,
            headers: { ...example.headers, ...json },
            payload,
          })
          const isTooLong = !specOf(id).upload && payload.length > bodyLimitOf(specOf(id))
          // What somebody signs is parsed once their signature holds.
          const refused = specOf(id).signed ? 401 : 400
          expect(answer.status, answer.text).toBe(isTooLong ? 413 : refused)
        }
      })

      it(`to ${id}: an absent body is ${specOf(id).bodyOptional ? 'an empty one' : 'refused'}`, async () => {
        const { payload: _, ...example } = await makeExample(world, id)
        const answer = await sendChecked(specOf(id), { ...example, headers: { ...example.headers, ...json } })
        if (specOf(id).bodyOptional)
          expect(specOf(id).success as readonly number[], answer.text).toContain(answer.status)
        else expect(answer.status).toBe(400)
      })

      it(`to ${id}: another content type is refused with 415`, async () => {
        const example = await makeExample(world, id)
        for (const contentType of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/jsonp',
          'multipart/form-data',
        ]) {
          const request = {
            ...example,
            headers: { ...example.headers, 'content-type': contentType },
            payload: '{"a":1}',
          }
          const answer = await sendChecked(specOf(id), request)
          expect(answer.status, contentType).toBe(415)
          expect(failureOf(answer).error.code).toBe('invalid_request')
        }
      })

      it(`to ${id}: a body above its ceiling is refused with 413`, async () => {
        const spec = specOf(id)
        const limit = bodyLimitOf(spec)
        const example = await makeExample(world, id)
        const request = {
          ...example,
          headers: { ...example.headers, ...json },
          payload: new Uint8Array(limit + 1).fill(0x20),
        }
        const answer = await sendChecked(spec, request)
        expect(answer.status).toBe(413)
      })
    }

    for (const id of casesInTurn(engine, withForms)) {
      it(`to ${id}: a form is taken or refused as declared, whatever stands in it`, () =>
        checkAll(id, brokenFrom(validFor(specOf(id).body as z.ZodType)), (value, example) => withJson(example, value)))

      it(`to ${id}: what is no form, or no text, or too long, is refused`, async () => {
        const example = await makeExample(world, id)
        const { headers } = example
        const refused = async (payload: string | Uint8Array<ArrayBuffer>, status: number, type?: string) => {
          const request = { ...example, headers: { ...headers, ...(type && { 'content-type': type }) }, payload }
          expect((await sendChecked(specOf(id), request)).status).toBe(status)
        }
        await refused('{}', 415, 'application/json')
        await refused('a=1&a=2', 400)
        await refused('', 400)
        await refused('SAMLResponse=%00', 400)
        await refused(Uint8Array.from([0x61, 0x3d, 0xff]), 400)
        await refused('a'.repeat(bodyLimitOf(specOf(id)) + 1), 413)
      })
    }

    for (const id of casesInTurn(engine, withUpload)) {
      const { upload } = specOf(id)
      it(`to ${id}: broken metadata beside raw bytes is refused with its path, or taken as declared`, () =>
        checkAll(id, brokenFrom(validFor(upload?.meta as z.core.$ZodType)), (value, example) => {
          const contentType = upload?.contentTypes[0] ?? ''
          const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
          const text = (name: string) =>
            textOf(fields[name] ?? null)
              .replaceAll(/[^\x21-\x7e]/g, '?')
              .slice(0, 1000)
          const meta: Record<string, string> =
            upload?.from === 'part'
              ? { 'x-service-part-sha256': text('sha256') }
              : {
                  'x-service-evidence-meta': JSON.stringify(value)
                    .replaceAll(/[^\x20-\x7e]/g, '?')
                    .slice(0, 8000),
                }
          const headers = { ...example.headers, ...meta, 'content-type': contentType }
          const query: Record<string, string> = upload?.from === 'part' ? { index: text('index') } : {}
          return { ...example, query, headers, payload: new Uint8Array([1, 2, 3]) }
        }))
    }

    for (const id of casesInTurn(engine, withQuery))
      it(`to ${id}: any query is refused with the path of each problem, or answered as declared`, () => {
        const values = fc.oneof(
          validFor(specOf(id).query as z.core.$ZodType),
          brokenFrom(validFor(specOf(id).query as z.core.$ZodType)),
        )
        return checkAll(id, values, (value, example) => {
          const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
          const query = Object.fromEntries(
            Object.entries(fields).map(([name, field]) => [name, textOf(field).slice(0, 4000)]),
          )
          return { ...example, query: { ...query, ...(example.query ?? {}) } }
        })
      })
  })
