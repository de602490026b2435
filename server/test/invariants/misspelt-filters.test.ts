import type { EndpointId } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { makeExample, specOf } from '../test-support/examples.ts'
import { failureOf, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, expectHouseRules } from './common.ts'

/** What a misspelt word finds is nothing, and nothing reads as if nothing had happened: each such word is refused instead. */
const wrong: Readonly<Record<string, readonly [given: string, words: RegExp]>> = {
  types: ['session.end,evidence.ready', /must be one of .*session\.ended, .*; did you mean session\.ended\?$/],
  eventType: ['session.end', /must be one of .*session\.ended, .*; did you mean session\.ended\?$/],
  action: ['session.erase', /^is none of the \d+ known names; did you mean session\.erased\?$/],
  evidence: ['screenshots', /must be one of .*screenshot, .*; did you mean screenshot\?$/],
  sessionId: ['ext-7', /^must be the id of a session, which begins with ses_$/],
  userId: ['mem_1', /^must be the id of an account, which begins with usr_$/],
  provisionedBy: ['somebody', /^must be the id of a key or a person, which begins with key_ or usr_$/],
  assignee: ['nobody', /^must be the id of a membership, which begins with mem_, or none$/],
}

/** Texts of a query that are no choice among known words. */
const free: ReadonlySet<string> = new Set([
  // Whatever somebody looks for, or the words of another standard, which has an error of its own for them.
  ...['q', 'externalId', 'filter', 'attributes', 'excludedAttributes', 'country', 'partner_interview_id'],
  // The nearest language that the service writes is taken.
  ...['locale', 'texts'],
  // What the service gave, and how somebody comes back to it; a wrong one is refused by itself, or means all.
  ...['cursor', 'since', 'lastEventId', 'token', 'returnTo', 'state', 'code', 'v'],
  ...['iss', 'error', 'error_description', 'SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'],
  // How something is to look.
  ...['displayName', 'privacyContact', 'welcome', 'accent', 'accentText', 'background', 'text', 'recipients'],
])

const inner = (schema: z.ZodType): unknown => {
  let one: unknown = schema
  while (one instanceof z.ZodOptional || one instanceof z.ZodDefault) one = one.unwrap()
  return one
}
const shapeOf = (id: EndpointId): Readonly<Record<string, z.ZodType>> =>
  (specOf(id).query as z.ZodObject | undefined)?.shape ?? {}

describe('a filter that is misspelt is refused, with what would be right', () => {
  let server: TestServer
  let world: World
  beforeAll(async () => {
    server = await startServer({})
    world = await buildWorld(server)
  })
  afterAll(() => server.stop())

  const refusalOf = async (id: EndpointId, name: string, given: string) => {
    const example = await makeExample(world, id)
    const answer = await send(server.url, specOf(id), { ...example, query: { ...example.query, [name]: given } })
    expectHouseRules(specOf(id), answer)
    expect(answer.status, answer.text).toBe(400)
    const found = failureOf(answer).error.details?.find(({ path }) => path === name)
    return found?.message
  }

  it('in more than a few places', () => {
    const enums = allIds.flatMap((id) =>
      Object.values(shapeOf(id)).filter((schema) => inner(schema) instanceof z.ZodEnum),
    )
    expect(enums.length).toBeGreaterThan(30)
  })

  for (const id of allIds)
    for (const [name, schema] of Object.entries(shapeOf(id))) {
      const one = inner(schema)
      const chosen = wrong[name]
      if (one instanceof z.ZodEnum && chosen === undefined)
        it(`${name} of ${id}`, async () => {
          const [first] = one.options
          for (const given of [`${first}x`, 'nonsense', String(first).toUpperCase(), '']) {
            const words = await refusalOf(id, name, given)
            for (const option of one.options) expect(words, given).toContain(String(option))
          }
        })
      else if (chosen !== undefined)
        it(`${name} of ${id}`, async () => {
          const [given, words] = chosen
          expect(await refusalOf(id, name, given)).toMatch(words)
        })
      else if (one instanceof z.ZodString && !free.has(name))
        it(`${name} of ${id} is a choice of words, or free by what it is`, () => {
          expect.unreachable('put it among the free ones with a reason, or have its words refused')
        })
    }
})
