import type { ApiScope } from '@integrity/protocol'
import { ServiceError } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../app/config.ts'
import { countAnswered } from '../../kernel/answered-bytes.ts'
import type { Actor } from '../../kernel/identity/actor.ts'
import { rateHeaders } from '../../kernel/rate-limited.ts'
import { createManualClock } from '../../platform/manual-clock.test-support.ts'
import { createRateCounter, type RateCounter } from '../../platform/rate/rate-counter.ts'
import {
  createFailureCeiling,
  takeAddress,
  takeAnswer,
  takeAnswerOfOrg,
  takeCredential,
  takeFailure,
  takeUpload,
} from './ceilings.ts'

const key = (id: string, orgId = 'org_1'): Actor => ({
  kind: 'api_key',
  id,
  orgId,
  environment: 'live',
  label: id,
  scopes: [] as ApiScope[],
})
const agent = (id: string): Actor => ({
  kind: 'agent',
  id,
  orgId: 'org_1',
  environment: 'live',
  sessionId: 'ses_1',
  label: null,
})
const limits = { ...defaultLimits, perKey: 3, perOrg: 5, perCredential: 2, perAddress: 2, failuresPerAddress: 2 }
const build = () => {
  const clock = createManualClock()
  return { clock, rate: createRateCounter(clock) }
}
const refused = async (call: Promise<unknown>): Promise<ServiceError> => {
  const error: unknown = await call.then(
    () => expect.fail('was not refused'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ServiceError) return error
  throw error
}

describe('the ceilings', () => {
  it('answer the one that is closest', async () => {
    const { rate } = build()
    expect(await takeCredential(rate, limits, key('a'))).toMatchObject({ scope: 'key', limit: 3, remaining: 2 })
    await takeCredential(rate, limits, key('b'))
    await takeCredential(rate, limits, key('b'))
    expect(await takeCredential(rate, limits, key('c'))).toMatchObject({ scope: 'org', limit: 5, remaining: 1 })
    expect(await takeCredential(rate, limits, key('a', 'org_2'))).toMatchObject({ scope: 'key', remaining: 1 })
  })

  it('refuse with the ceiling that was hit and the wait', async () => {
    const { rate, clock } = build()
    clock.advance(20_000)
    for (let n = 0; n < 3; n++) await takeCredential(rate, limits, key('a'))
    const error = await refused(takeCredential(rate, limits, key('a')))
    expect(error).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(error.headers).toEqual({
      'RateLimit-Limit': '3',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '40',
      'RateLimit-Scope': 'key',
      'RateLimit-Policy': '"key";q=3;w=60',
      RateLimit: '"key";r=0;t=40',
      'Retry-After': '40',
    })
    for (let n = 0; n < 2; n++) await takeCredential(rate, limits, key('b'))
    expect((await refused(takeCredential(rate, limits, key('b')))).headers['RateLimit-Scope']).toBe('org')
  })

  it('count the bytes of uploads, and no request of theirs', async () => {
    const { rate } = build()
    const few = { ...limits, uploadsPerCredential: 10 }
    for (let n = 0; n < 4; n++) await takeUpload(rate, few, agent('a'), 256 * 1024)
    expect(await takeUpload(rate, few, agent('a'), 256 * 1024 + 1)).toMatchObject({ limit: 10, remaining: 4 })
    expect(await takeUpload(rate, few, agent('a'), 0)).toMatchObject({ remaining: 3 })
    expect(await takeCredential(rate, few, agent('a'))).toMatchObject({ limit: 2, remaining: 1 })
    expect(await takeUpload(rate, few, agent('a'), 1e9)).toMatchObject({ remaining: 0 })
    expect(await refused(takeUpload(rate, few, agent('a'), 1))).toMatchObject({ status: 429 })
    expect(await takeUpload(rate, few, agent('b'), 1)).toMatchObject({ remaining: 9 })
  })

  it('count what is looked through by its bytes, of a person and of the organisation, and no request', async () => {
    const { rate } = build()
    const few = { ...limits, answersPerCredential: 10, answersPerOrg: 12 }
    expect(await takeAnswer(rate, few, key('a'))).toMatchObject({ limit: 10, remaining: 9, scope: 'key' })
    await takeAnswerOfOrg(rate, few, key('a'))
    await countAnswered({ rate }, key('a'), 256 * 1024)
    expect(await takeAnswer(rate, few, key('a'))).toMatchObject({ remaining: 8 })
    await countAnswered({ rate }, key('a'), 9 * 256 * 1024)
    expect(await refused(takeAnswer(rate, few, key('a')))).toMatchObject({ status: 429 })
    for (let n = 0; n < 3; n++) await takeAnswerOfOrg(rate, few, key('b'))
    expect((await refused(takeAnswerOfOrg(rate, few, key('b')))).headers['RateLimit-Scope']).toBe('org')
    expect(await takeCredential(rate, few, key('a'))).toMatchObject({ limit: 3, remaining: 2 })
  })

  it('wait for a counter that lies elsewhere, and refuse by what it says', async () => {
    const { rate: here } = build()
    const rate: RateCounter = {
      take: async (name, limit) => here.take(name, limit),
      add: async (name, amount) => here.add(name, amount),
      peek: async (name, limit) => here.peek(name, limit),
    }
    for (let n = 0; n < 3; n++) await takeCredential(rate, limits, key('a'))
    expect((await refused(takeCredential(rate, limits, key('a')))).headers['RateLimit-Scope']).toBe('key')
    expect(await takeCredential(rate, limits, key('b'))).toMatchObject({ scope: 'org', remaining: 1 })
    for (let n = 0; n < 2; n++) await takeFailure(rate, limits, 'codes', 'a')
    expect((await refused(takeFailure(rate, limits, 'codes', 'a'))).status).toBe(429)
  })

  it('count agents apart from the organisation, and callers without a credential by address', async () => {
    const { rate } = build()
    for (let n = 0; n < 2; n++) await takeCredential(rate, limits, agent('x'))
    expect((await refused(takeCredential(rate, limits, agent('x')))).headers['RateLimit-Scope']).toBe('key')
    await takeCredential(rate, limits, agent('y'))
    expect(await takeCredential(rate, limits, key('a'))).toMatchObject({ remaining: 2 })
  })

  it('count callers without a credential by address, at each endpoint for itself', async () => {
    const { rate } = build()
    for (let n = 0; n < 2; n++) await takeAddress(rate, limits, 'health.live', '10.0.0.1')
    expect((await refused(takeAddress(rate, limits, 'health.live', '10.0.0.1'))).status).toBe(429)
    await takeAddress(rate, limits, 'auth.login', '10.0.0.1')
    await takeAddress(rate, limits, 'health.live', '10.0.0.2')
  })

  it('shut an address out after its failures, from that one thing, and no other address', async () => {
    const { rate, clock } = build()
    const take = (what: string, address: string) => takeFailure(rate, limits, what, address)
    for (let n = 0; n < 2; n++) await take('codes', 'a')
    expect((await refused(take('codes', 'a'))).headers['Retry-After']).toBe('60')
    await take('passwords', 'a')
    await take('codes', 'b')
    clock.advance(60_000)
    await take('codes', 'a')
  })

  it('count a guess before it is looked at, one after the other, and give back one that was none', async () => {
    const { rate } = build()
    const failures = createFailureCeiling(rate, limits)
    const looked: string[] = []
    const guess = (name: string) =>
      failures.guess({ what: 'codes', address: 'a', isWrong: (error) => error === 'wrong' }, async () => {
        looked.push(`${name} begins`)
        await Promise.resolve()
        looked.push(`${name} ends`)
        if (name !== 'right') throw name
        return name
      })
    const names = ['wrong', 'right', 'broken', 'right', 'wrong', 'wrong', 'right']
    const settled = await Promise.allSettled(names.map(guess))
    expect(looked).toEqual(names.slice(0, 5).flatMap((name) => [`${name} begins`, `${name} ends`]))
    expect(settled.slice(0, 5).map((one) => ('value' in one ? one.value : one.reason))).toEqual(names.slice(0, 5))
    for (const one of settled.slice(5)) expect(one).toMatchObject({ reason: { code: 'rate_limited' } })
  })

  it('count the networks of one /48 together, with more room', async () => {
    const { rate } = build()
    const take = (network: number) => takeFailure(rate, limits, 'codes', `2001:db8:1:${network}::/64`)
    for (let n = 0; n < 16; n++) {
      await take(n)
      await take(n)
    }
    expect((await refused(take(99))).status).toBe(429)
    await takeFailure(rate, limits, 'codes', '2001:db8:2:1::/64')
  })

  it("are told in the interface's headers and in those of the IETF draft", () => {
    expect(rateHeaders({ limit: 9, remaining: 8, resetSeconds: 7, scope: 'org' })).toEqual({
      'RateLimit-Limit': '9',
      'RateLimit-Remaining': '8',
      'RateLimit-Reset': '7',
      'RateLimit-Scope': 'org',
      'RateLimit-Policy': '"org";q=9;w=60',
      RateLimit: '"org";r=8;t=7',
    })
  })
})
