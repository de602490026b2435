import { type EndpointSpec, refusesUnknown } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Example, makeExample, specOf, withJson } from '../test-support/examples.ts'
import { failureOf, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, expectHouseRules } from './common.ts'

/** Whether whoever makes the example is told. */
const isTold = (spec: EndpointSpec): boolean => spec.auth.some((rule) => refusesUnknown(spec, rule.kind))
const name = 'anUnknownName'

/** The body with the name put into each of its objects, one at a time, and where. */
const withNameInside = (value: unknown, path: readonly string[] = []): { path: string; body: unknown }[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const here = { path: [...path, name].join('.'), body: { ...value, [name]: 1 } }
  const deeper = Object.entries(value).flatMap(([field, inner]) =>
    withNameInside(inner, [...path, field]).map((found) => ({ ...found, body: { ...value, [field]: found.body } })),
  )
  return [here, ...deeper]
}

describe('a name that nobody declared', () => {
  let server: TestServer
  let world: World

  beforeAll(async () => {
    server = await startServer({})
    world = await buildWorld(server)
  })
  afterAll(() => server.stop())

  const expectTold = async (spec: EndpointSpec, request: Example, path: string) => {
    const answer = await send(server.url, spec, request)
    expectHouseRules(spec, answer)
    expect(answer.status, answer.text).toBe(400)
    expect(failureOf(answer).error.details).toContainEqual({ path, message: expect.stringMatching(/^is not known/) })
  }
  const expectIgnored = async (spec: EndpointSpec, request: Example) => {
    const answer = await send(server.url, spec, request)
    expect(spec.success as readonly number[], answer.text).toContain(answer.status)
  }

  for (const id of allIds)
    it(`in the query of ${id} is ${isTold(specOf(id)) ? 'told' : 'ignored'}`, async () => {
      const example = await makeExample(world, id)
      const request = { ...example, query: { ...example.query, [name]: '1' } }
      if (isTold(specOf(id))) await expectTold(specOf(id), request, name)
      else await expectIgnored(specOf(id), request)
    })

  // In what its sender signs nothing can be put in; a sender of its own says what it likes.
  for (const id of allIds.filter((candidate) => specOf(candidate).body && !specOf(candidate).signed))
    it(`in the body of ${id} is ${isTold(specOf(id)) ? 'told, at any depth' : 'ignored'}`, async () => {
      const example = await makeExample(world, id)
      const json = example.json ?? {}
      if (!isTold(specOf(id))) return expectIgnored(specOf(id), withJson(example, { ...json, [name]: 1 }))
      for (const { path, body } of withNameInside(json)) await expectTold(specOf(id), withJson(example, body), path)
    })
})
