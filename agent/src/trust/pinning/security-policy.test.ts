import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IntegrityError } from '@integrity/client/errors'
import type { SecurityPolicyDocument } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { parsePublicKey } from '../minisign/minisign.ts'
import { fileNewestSeen } from '../minisign/newest-seen.ts'
import { openSignedDocument } from '../minisign/signed-document.ts'
import { buildPolicy } from '../minisign/test-support/documents.ts'
import { makeSigner } from '../minisign/test-support/signer.ts'
import type { Pinning } from './pins.ts'
import { pinningAt, SecurityPolicyKeeper, type SecurityPolicyOptions } from './security-policy.ts'

const day = 24 * 60 * 60 * 1000
const pins = [{ host: 'interviews.example.org', spkiSha256: [`${'A'.repeat(43)}=`] }]
const enforced: Pinning = { enforced: true, pins }
const lifted: Pinning = { enforced: false, pins }
const signer = makeSigner()
const keys = [parsePublicKey(signer.publicKey)]

let dir: string
let clock: ManualClock
let known: Pinning[]
let troubles: string[]
let published: SecurityPolicyDocument | 'nothing' | 'unreachable'
let by = signer
let asked: number
const started: SecurityPolicyKeeper[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'security-policy-'))
  clock = new ManualClock()
  ;[known, troubles, published, by, asked] = [[], [], 'nothing', signer, 0]
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((keeper) => keeper.stop()))
  await rm(dir, { recursive: true, force: true })
})

const readPolicy: SecurityPolicyOptions['readPolicy'] = async () => {
  asked += 1
  if (published === 'unreachable') throw new IntegrityError({ status: 0, code: 'no_answer', message: 'no answer' })
  if (published === 'nothing') return { kind: 'nothing' }
  const text = JSON.stringify(published)
  const signed = { document: text, signature: by.sign(text) }
  const opened = await openSignedDocument(
    signed,
    { kind: 'security_policy' },
    { clock, seen: fileNewestSeen(dir), keys },
  )
  return opened.ok
    ? { kind: 'document', document: opened.document, signed }
    : { kind: 'refused', refusal: opened.refusal }
}

const keeper = (): SecurityPolicyKeeper => {
  const made = new SecurityPolicyKeeper({
    dir,
    clock,
    random: () => 0.5,
    keys,
    readPolicy,
    onPinning: (pinning) => known.push(pinning),
    onTrouble: (trouble) => troubles.push(trouble),
  })
  started.push(made)
  return made
}

const saved = (): Promise<string> => readFile(join(dir, 'security-policy.json'), 'utf8').catch(() => '')

describe('the security policy', () => {
  it('is read on start, kept on disk, and known at once on the next start', async () => {
    published = buildPolicy(clock, { pinning: enforced })
    keeper().start()
    await until('it to be kept', async () => (await saved()) !== '' && known.length > 0)
    expect(known[0]).toEqual(enforced)
    known = []
    published = 'unreachable'
    await keeper().load()
    expect(known).toEqual([enforced])
  })

  it('is unknown when nothing was ever published', async () => {
    const one = keeper()
    await one.load()
    one.start()
    await until('the answer', () => asked === 1)
    expect(known).toEqual([])
    expect(troubles).toEqual([])
  })

  it('stays as it was when the service gives none, one that is not believed, or no answer', async () => {
    published = buildPolicy(clock, { sequence: 5, pinning: enforced })
    const one = keeper()
    one.start()
    await until('the first', () => known.length > 0)
    const refusals = [
      'nothing' as const,
      'unreachable' as const,
      buildPolicy(clock, { sequence: 4, pinning: lifted }),
      buildPolicy(clock, { sequence: 6, pinning: lifted, expiresAt: new Date(clock.wallMs() - day).toISOString() }),
    ]
    for (const next of refusals) {
      published = next
      const times = asked + 1
      await until('the next look', () => {
        if (asked < times) clock.advance(3_600_000)
        return asked === times
      })
    }
    by = makeSigner()
    published = buildPolicy(clock, { sequence: 9, pinning: lifted })
    await keeper().load()
    keeper().start()
    await until('the troubles', () => troubles.length === 4)
    expect(known.every((pinning) => pinning.enforced)).toBe(true)
  })

  it('takes effect when a newer one lifts pinning, as soon as somebody asks for it', async () => {
    published = buildPolicy(clock, { sequence: 1, pinning: enforced })
    const one = keeper()
    one.start()
    await until('the first to be kept', async () => (await saved()) !== '')
    published = buildPolicy(clock, { sequence: 2, pinning: lifted, reason: 'a key was replaced' })
    one.refreshSoon()
    await until('the newer one', () => {
      // At most one look a minute.
      if (asked < 2) clock.advance(60_000)
      return known.at(-1)?.enforced === false
    })
    expect(clock.monotonicMs()).toBeLessThan(10 * 60_000)
  })

  it('is not believed from disk when it was altered there, or a key was removed since', async () => {
    published = buildPolicy(clock, { pinning: enforced })
    keeper().start()
    await until('it to be kept', async () => (await saved()) !== '' && known.length > 0)
    const text = await saved()
    known = []
    for (const damaged of [text.replace('enforced\\":true', 'enforced\\":false'), text.slice(0, 100), '[]']) {
      expect(damaged).not.toBe(text)
      await writeFile(join(dir, 'security-policy.json'), damaged)
      await keeper().load()
    }
    expect(known).toEqual([])
    expect(troubles).toEqual([expect.stringContaining('not what was signed')])
  })
})

describe('what a policy lifted', () => {
  it('is lifted until the policy expires, and pinning holds again from then on', () => {
    const policy = buildPolicy(clock, { pinning: lifted, expiresAt: new Date(clock.wallMs() + day).toISOString() })
    expect(pinningAt(policy, clock.wallMs() + day - 1).enforced).toBe(false)
    expect(pinningAt(policy, clock.wallMs() + day)).toEqual(enforced)
    expect(pinningAt({ ...policy, pinning: enforced }, clock.wallMs() + 9 * day)).toEqual(enforced)
  })

  it('runs out also while the agent runs and nobody answers', async () => {
    const expiresAt = new Date(clock.wallMs() + 90 * 60_000).toISOString()
    published = buildPolicy(clock, { pinning: lifted, expiresAt })
    keeper().start()
    await until('the lifted one', () => known.at(-1)?.enforced === false)
    published = 'unreachable'
    await until('pinning to hold again', () => {
      clock.advance(60 * 60_000)
      return known.at(-1)?.enforced === true
    })
  })
})
