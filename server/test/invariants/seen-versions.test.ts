import type { EndpointId } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { everyEngine } from '../test-support/engines.ts'
import { type Example, examples, specOf, withJson } from '../test-support/examples.ts'
import { dataOf, failureOf, type RawAnswer, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, auditRows } from './common.ts'

const takesVersion = (id: EndpointId): boolean => {
  const { body } = specOf(id)
  if (!body) return false
  return JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes('"expectedVersion"')
}
const guarded = allIds.filter(takesVersion)

/** What a member replaces without saying which state of it they have seen, and why nobody loses anything by that. */
const unguarded = {
  'portal.members.change': 'one act on one member: their role, or whether they are active',
  'portal.roles.assign': 'one act on one member',
  'portal.sso.enforcement': 'on or off',
  'portal.billing.plan': 'one plan of a list',
  'portal.interviewers.correct': 'the desk shows both and asks; two correct the same few words of one person',
  'portal.scheduling.set': 'one appointment, of which everybody concerned is told by mail',
  'portal.sessions.patch': 'what is named changes, and nothing else',
  'portal.sessions.meeting.set': 'one link',
  'portal.branding.logo.set': 'one picture, which is chosen anew',
  'portal.orgs.secondFactor.set': 'on or off',
} as const satisfies Partial<Record<EndpointId, string>>

/** Where the answer of the write has the version that the write is held to. */
const versionIn: Partial<Record<EndpointId, string>> = {
  'portal.retention.put': 'windowVersion',
  'portal.policies.patch': 'nameVersion',
}

/** What makes two writes differ, where the same again changes nothing. */
const differing: Partial<Record<EndpointId, (n: number) => object>> = {
  'portal.roles.change': (n) => ({ description: `Words ${n}` }),
  'portal.policies.patch': (n) => ({ description: `Words ${n}` }),
  'portal.retention.hold': (n) => ({ on: true, reason: `Case ${n}` }),
  'portal.retention.sessions.hold': (n) => ({ on: true, reason: `Case ${n}` }),
}

describe('a write of a member', () => {
  const replacing = allIds.filter((id) => {
    const { auth, method } = specOf(id)
    return auth.some(({ kind }) => kind === 'user') && (method === 'PUT' || method === 'PATCH') && specOf(id).body
  })

  it('over what others may have written takes the version that its writer has seen', () => {
    const without = replacing.filter((id) => !takesVersion(id))
    expect(without.toSorted()).toEqual(Object.keys(unguarded).toSorted())
  })
})

for (const engine of everyEngine())
  describe(`a version that a writer has seen (${engine})`, () => {
    let server: TestServer
    let world: World
    let written = 0

    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
    })
    afterAll(() => server.stop())

    const write = (id: EndpointId, { json, ...example }: Example, expectedVersion?: number): Promise<RawAnswer> => {
      written += 1
      const body = { ...json, ...differing[id]?.(written), expectedVersion }
      return send(server.url, specOf(id), withJson(example, body))
    }
    const versionOf = (id: EndpointId, answer: RawAnswer): number => {
      expect(specOf(id).success as readonly number[], answer.text).toContain(answer.status)
      return dataOf<Record<string, number>>(answer)[versionIn[id] ?? 'version'] as number
    }
    const expectChanged = (answer: RawAnswer) => {
      expect([answer.status, failureOf(answer).error], answer.text).toMatchObject([
        409,
        { code: 'conflict', reason: 'changed' },
      ])
    }

    for (const id of guarded)
      it(`${id}: of two at the same moment one is told, and so is whoever comes later`, async () => {
        const example = await examples[id](world)
        const seen = versionOf(id, await write(id, example))
        const both = await Promise.all([write(id, example, seen), write(id, example, seen)])
        const [won, lost] = both.toSorted((a, b) => a.status - b.status) as [RawAnswer, RawAnswer]
        const now = versionOf(id, won)
        expect(now).toBeGreaterThan(seen)
        expectChanged(lost)
        const rows = await auditRows(world)
        expectChanged(await write(id, example, seen))
        expect(await auditRows(world)).toBe(rows)
        expect(versionOf(id, await write(id, example, now))).toBeGreaterThan(now)
        expect(versionOf(id, await write(id, example))).toBeGreaterThan(now)
      })
  })
