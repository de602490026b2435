import { failed } from '@integrity/client/test-support/failed'
import { describe, expect, it, vi } from 'vitest'
import { documentOf, FakeWorld } from '../../test/fake-world.ts'
import { answerDocument, claimCode, identityOf, readDocument } from './pairing.ts'
import type { Memory } from './queue.port.ts'
import type { Pairing } from './session.types.ts'

const newWorld = () => new FakeWorld(() => Promise.reject(new Error('nothing is queued here')))
const claim = async (world: FakeWorld, known?: Memory['claiming']) => {
  const kept: Memory[] = []
  const outcome = await claimCode(world.ports, 'K7QF2M9X', known, async (memory) => void kept.push(memory))
  return { outcome, kept }
}
const paired = async (world: FakeWorld): Promise<Pairing> => {
  const { outcome } = await claim(world)
  if (typeof outcome === 'string') throw new Error(outcome)
  return outcome
}

describe('taking a code', () => {
  it('keeps what is asked before it is asked, and answers a pairing without the words that only a claim has', async () => {
    const world = newWorld()
    const { outcome, kept } = await claim(world)
    expect(kept).toEqual([{ claiming: { code: 'K7QF2M9X', key: world.service.claims[0]?.key, locale: 'en' } }])
    expect(outcome).toMatchObject({ token: 'cmt_1', companionId: 'cpn_1', stage: 'consent' })
    expect(outcome).not.toHaveProperty('companionToken')
    expect(identityOf(outcome as Pairing)).toEqual({ token: 'cmt_1', sessionId: 'ses_1' })
  })

  it('asks nothing of the service when what is asked cannot be kept', async () => {
    const world = newWorld()
    const outcome = await claimCode(world.ports, 'K7QF2M9X', undefined, () => Promise.reject(new Error('full')))
    expect([outcome, world.service.claims]).toEqual(['unreachable', []])
  })

  it('asks under the key and in the language of before for the same code, and anew for another one', async () => {
    const world = newWorld()
    world.language = 'hi'
    await claim(world, { code: 'K7QF2M9X', key: 'key-of-before', locale: 'en' })
    await claim(world, { code: 'AAAABBBB', key: 'key-of-before', locale: 'en' })
    expect(world.service.claims[0]).toMatchObject({ key: 'key-of-before', locale: 'en' })
    expect(world.service.claims[1]?.key).not.toBe('key-of-before')
    expect(world.service.claims[1]).toMatchObject({ locale: 'hi' })
  })

  it.each([
    ['not_found', 'not_found'],
    ['refused', 'not_found'],
    ['conflict', 'conflict'],
    ['too_many', 'too_many'],
  ] as const)('a no that is %s is said as %s, and forgotten', async (kind, problem) => {
    const world = newWorld()
    world.service.fail('claim', kind)
    const { outcome, kept } = await claim(world)
    expect([outcome, kept.at(-1)]).toEqual([problem, {}])
  })

  it('remembers what it asked where the answer did not come: it may have been a yes', async () => {
    const world = newWorld()
    vi.spyOn(world.service, 'claim').mockRejectedValue(new TypeError('fetch failed'))
    const { outcome, kept } = await claim(world)
    expect([outcome, kept.at(-1)]).toEqual(['unreachable', { claiming: expect.anything() }])
  })
})

describe('answering the document', () => {
  it('sends back which document was shown, and when by the clock of the service', async () => {
    const world = newWorld()
    const pairing = await paired(world)
    world.ahead = 60_000
    const sent = vi.spyOn(world.service, 'consent')
    expect(await answerDocument(world.ports, pairing, true, 'en')).toEqual({ kind: 'taken', config: pairing.config })
    const { version, hash } = pairing.consentDocument
    const acceptedAt = new Date(world.time.nowMs + 60_000).toISOString()
    expect(sent.mock.calls[0]?.[1]).toEqual({ version, locale: 'en', documentHash: hash, accepted: true, acceptedAt })
  })

  it('is over when the pairing or the interview is', async () => {
    const world = newWorld()
    const pairing = await paired(world)
    world.service.fail('consent', 'unauthorized')
    expect(await answerDocument(world.ports, pairing, true, 'en')).toEqual({ kind: 'over', why: 'gone' })
    world.service.fail('consent', 'conflict')
    expect(await answerDocument(world.ports, pairing, true, 'en')).toEqual({ kind: 'over', why: 'ended' })
  })

  it('is asked again with the newest document and policy where they have changed', async () => {
    const world = newWorld()
    const pairing = await paired(world)
    const consentDocument = documentOf('second')
    world.service.config = { ...world.service.config, presenceIntervalSeconds: 30 }
    world.service.problems.set('consent', failed('conflict', { extra: { consentDocument } }))
    expect(await answerDocument(world.ports, pairing, true, 'en')).toEqual({
      kind: 'again',
      changed: true,
      pairing: { ...pairing, consentDocument, config: world.service.config },
    })
    world.service.fail('status', 'later')
    expect(await answerDocument(world.ports, pairing, true, 'en')).toEqual({
      kind: 'again',
      changed: true,
      pairing: { ...pairing, consentDocument },
    })
  })

  it('is asked again as it was where the service was not reached', async () => {
    const world = newWorld()
    const pairing = await paired(world)
    world.service.fail('consent', 'later')
    expect(await answerDocument(world.ports, pairing, false, 'en')).toEqual({ kind: 'again', changed: false, pairing })
  })
})

describe('the document in another language', () => {
  it('comes with the policy of now, and stays as it is when nobody answers', async () => {
    const world = newWorld()
    const pairing = await paired(world)
    const anew = await readDocument(world.service, pairing, 'hi')
    expect(anew?.consentDocument).toMatchObject({ locale: 'hi' })
    expect(anew).toMatchObject({ token: pairing.token, stage: 'consent' })
    world.service.fail('status', 'later')
    expect(await readDocument(world.service, pairing, 'hi')).toBeUndefined()
  })
})
