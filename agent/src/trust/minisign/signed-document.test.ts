import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { parsePublicKey } from './minisign.ts'
import { fileNewestSeen } from './newest-seen.ts'
import { type Expected, openSignedDocument, type SignedText } from './signed-document.ts'
import { buildManifest, buildPolicy } from './test-support/documents.ts'
import { makeSigner, type Signer } from './test-support/signer.ts'

const manifestOf = { kind: 'update_manifest', app: 'desktop_agent', channel: 'stable' } as const
const policyOf = { kind: 'security_policy' } as const
const day = 24 * 60 * 60 * 1000

const clock = new ManualClock()
const at = (offsetMs: number): string => new Date(clock.wallMs() + offsetMs).toISOString()
const signer = makeSigner()
const reserve = makeSigner()
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signed-document-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const signed = (document: unknown, by: Signer = signer): SignedText => {
  const text = `${JSON.stringify(document)}\n`
  return { document: text, signature: by.sign(text) }
}

const open = (text: SignedText, expected: Expected = manifestOf, trusted = [signer, reserve]) =>
  openSignedDocument(text, expected, {
    clock,
    seen: fileNewestSeen(folder),
    keys: trusted.map(({ publicKey }) => parsePublicKey(publicKey)),
  })

const reasonOf = async (...args: Parameters<typeof open>): Promise<string> => {
  const opened = await open(...args)
  return opened.ok ? 'accepted' : opened.refusal.reason
}

const messageOf = async (...args: Parameters<typeof open>): Promise<string> => {
  const opened = await open(...args)
  return opened.ok ? '' : opened.refusal.message
}

describe('a signed document', () => {
  it('is opened when one of the trusted keys signed it, the one in reserve as well', async () => {
    const manifest = buildManifest(clock, { sequence: 4 })
    const opened = await open(signed(manifest))
    expect(opened).toMatchObject({ ok: true, keyId: parsePublicKey(signer.publicKey).keyId })
    expect(opened.ok && opened.document).toEqual(manifest)
    expect(await reasonOf(signed(buildPolicy(clock), reserve), policyOf)).toBe('accepted')
  })

  it('is refused without a signature, and when the answer is a web page', async () => {
    const { document } = signed(buildManifest(clock))
    expect(await reasonOf({ document, signature: '' })).toBe('unsigned')
    const page = '<!doctype html><title>Sign in to the network</title>'
    expect(await reasonOf({ document: page, signature: page })).toBe('unsigned')
  })

  it('is refused when it is signed by a key that was removed', async () => {
    expect(await reasonOf(signed(buildManifest(clock), reserve), manifestOf, [signer])).toBe('unknown_key')
  })

  it('is refused by a build without any key', async () => {
    const text = signed(buildManifest(clock))
    const opened = await openSignedDocument(text, manifestOf, { clock, seen: fileNewestSeen(folder), keys: [] })
    expect(opened).toMatchObject({ ok: false, refusal: { reason: 'unknown_key' } })
  })

  it('is refused when a character of it is another', async () => {
    const { document, signature } = signed(buildManifest(clock, { sequence: 4 }))
    expect(await reasonOf({ document: document.replace('"sequence":4', '"sequence":5'), signature })).toBe('tampered')
    expect(await reasonOf({ document: `${document}\n`, signature })).toBe('tampered')
  })

  it('is refused in the place of another: kind, app, channel', async () => {
    expect(await reasonOf(signed(buildPolicy(clock)))).toBe('not_the_one')
    expect(await reasonOf(signed(buildManifest(clock)), policyOf)).toBe('not_the_one')
    expect(await reasonOf(signed(buildManifest(clock, { app: 'companion' })))).toBe('not_the_one')
    expect(await reasonOf(signed(buildManifest(clock, { channel: 'beta' })))).toBe('not_the_one')
  })

  it('is refused when what was signed is not of the agreed shape', async () => {
    for (const broken of [
      { ...buildManifest(clock), minimumVersion: 'v1' },
      { ...buildManifest(clock), sequence: '5' },
      { ...buildManifest(clock), expiresAt: 'tomorrow' },
      { ...buildManifest(clock), builds: undefined },
    ])
      expect(await reasonOf(signed(broken))).toBe('malformed')
    const text = 'no JSON'
    expect(await reasonOf({ document: text, signature: signer.sign(text) })).toBe('malformed')
    expect(await reasonOf(signed(null))).toBe('not_the_one')
    expect(await reasonOf(signed({ ...buildManifest(clock), padding: 'x'.repeat(1024 * 1024) }))).toBe('malformed')
  })
})

describe('the dates of a signed document', () => {
  it('refuse it from the moment it expires, and name the clock', async () => {
    const valid = buildManifest(clock, { expiresAt: at(1) })
    expect(await reasonOf(signed(valid))).toBe('accepted')
    const expired = signed({ ...valid, sequence: 2, expiresAt: at(0) })
    expect(await reasonOf(expired)).toBe('expired')
    expect(await messageOf(expired)).toContain(`clock says ${at(0)}`)
  })

  it('allow a clock that is up to a day slow, and tell about one that is slower', async () => {
    const dates = (issued: number) => ({ issuedAt: at(issued), expiresAt: at(issued + 30 * day) })
    expect(await reasonOf(signed(buildManifest(clock, dates(day))))).toBe('accepted')
    const ahead = signed(buildManifest(clock, { sequence: 9, ...dates(day + 1) }))
    expect(await reasonOf(ahead)).toBe('from_the_future')
    expect(await messageOf(ahead)).toContain('Please check the date and time of this computer')
  })

  it('do not let a refused document become the newest seen', async () => {
    expect(await reasonOf(signed(buildManifest(clock, { sequence: 99, expiresAt: at(-1) })))).toBe('expired')
    expect(await reasonOf(signed(buildManifest(clock, { sequence: 3 })))).toBe('accepted')
  })
})

describe('the number of a signed document', () => {
  it('refuses one that is older than the newest seen, also after a restart', async () => {
    expect(await reasonOf(signed(buildManifest(clock, { sequence: 7 })))).toBe('accepted')
    const old = signed(buildManifest(clock, { sequence: 6 }))
    expect(await reasonOf(old)).toBe('replayed')
    expect(await messageOf(old)).toMatch(/number 6.*number 7/)
    expect(await reasonOf(signed(buildManifest(clock, { sequence: 8 })))).toBe('accepted')
  })

  it('accepts the same document again, and refuses another under its number', async () => {
    const manifest = buildManifest(clock, { sequence: 7 })
    expect(await reasonOf(signed(manifest))).toBe('accepted')
    expect(await reasonOf(signed(manifest))).toBe('accepted')
    expect(await reasonOf(signed({ ...manifest, minimumVersion: '0.0.1' }))).toBe('replayed')
  })

  it('counts for each kind, app and channel alone, whichever are written at once', async () => {
    const beta = { ...manifestOf, channel: 'beta' } as const
    const reasons = await Promise.all([
      reasonOf(signed(buildManifest(clock, { sequence: 9 }))),
      reasonOf(signed(buildManifest(clock, { sequence: 2, channel: 'beta' })), beta),
      reasonOf(signed(buildPolicy(clock, { sequence: 1 })), policyOf),
    ])
    expect(reasons).toEqual(['accepted', 'accepted', 'accepted'])
  })

  it('keeps what two streams set through one store at the same time', async () => {
    const seen = fileNewestSeen(folder)
    await Promise.all(['a', 'b', 'c'].map((stream) => seen.set(stream, { sequence: 1, sha256: 'x' })))
    expect(Object.keys(JSON.parse(await readFile(join(folder, 'newest-seen.json'), 'utf8')))).toEqual(['a', 'b', 'c'])
    expect(await readdir(folder)).toEqual(['newest-seen.json'])
  })

  it('begins anew when the file of the newest seen is damaged', async () => {
    await writeFile(join(folder, 'newest-seen.json'), '{"update_manifest/desktop')
    expect(await reasonOf(signed(buildManifest(clock, { sequence: 3 })))).toBe('accepted')
    expect(await reasonOf(signed(buildManifest(clock, { sequence: 2 })))).toBe('replayed')
  })
})
