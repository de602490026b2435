import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findChromium, launchChromium } from '../../test-support/browser.ts'
import { proofSize } from '../../test-support/proof.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import type { WorldSession } from '../../test-support/world.ts'
import { unzip, zip } from '../../test-support/zips.ts'
import {
  bundleOf,
  download,
  interview,
  keyOf,
  type Members,
  python,
  resealed,
  verdictOf,
} from './bundles.test-support.ts'
import { openVerifier, type VerifierPage } from './verifier-page.test-support.ts'

/** A key file as `minisign -S` signs it. */
const minisigned = (text: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keyId = randomBytes(8)
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
  const signature = sign(null, createHash('blake2b512').update(text).digest(), privateKey)
  const comment = 'the key of our bundles'
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey)
  const line = (...parts: Buffer[]) => Buffer.concat(parts).toString('base64')
  return {
    minisign: line(Buffer.from('Ed'), keyId, raw),
    signature: `untrusted comment: x\n${line(Buffer.from('ED'), keyId, signature)}\ntrusted comment: ${comment}\n${line(global)}\n`,
  }
}

/** Names what the policy refused. */
const tryEverything = `new Promise((done) => {
  const broken = []
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    broken.push(effectiveDirective)
    if (broken.length === 3) done({ broken: broken.sort(), title: document.title })
  })
  const add = (tag, own) => document.body.append(Object.assign(document.createElement(tag), own))
  fetch('https://example.org/').catch(() => undefined)
  add('img', { src: 'https://example.org/x.png' })
  add('script', { textContent: 'document.title = "ran"' })
})`

const chromium = findChromium('the page that checks a bundle')

if (chromium)
  describe('docs/verify/verify-bundle.html', () => {
    let server: TestServer
    let browser: Browser
    let session: WorldSession
    let bundle: Buffer
    let verifier: VerifierPage

    beforeAll(async () => {
      server = await startServer({ engine: 'sqlite' })
      session = await interview(server)
      bundle = (await download(server, session)).bytes
      browser = await launchChromium(chromium)
      verifier = await openVerifier(browser)
    })
    afterAll(async () => {
      await browser.close()
      await server.stop()
    })

    it('says that a bundle holds, shows what is in it, and asks nobody for anything', async () => {
      const { page, seen } = verifier
      const { faults, text } = await verifier.verdictOf(bundle, { key: keyOf(server) })
      expect(faults).toEqual([])
      for (const words of [
        ...['What is in this file holds', 'The signatures were checked with the key that you gave.'],
        ...['3 items are signed by the machine', 'places 2 to 2', 'Sentence 1.', 'display added', 'signed off by'],
      ])
        expect(text).toContain(words)
      expect(await page.getByRole('img', { name: /^Screen: \d+ of 600 seconds, \d+ gaps?, 2 items$/ }).count()).toBe(1)
      expect(await page.getByRole('heading', { name: 'Pictures (2)' }).count()).toBe(1)
      expect(await page.locator('audio').count()).toBe(1)
      await page.locator('img').first().scrollIntoViewIfNeeded()
      const width = 'document.querySelector("img").decode().then(() => document.querySelector("img").naturalWidth)'
      expect(await page.evaluate(width)).toBe(8)
      expect(seen.errors).toEqual([])
      expect([...new Set(seen.requests.map((url) => new URL(url).protocol))].sort()).toEqual(['blob:', 'file:'])
    })

    it('may load and send nothing, whatever were to run in it', async () => {
      const own = await openVerifier(browser)
      await own.verdictOf(bundle)
      const refused: { broken: string[]; title: string } = await own.page.evaluate(tryEverything)
      expect(refused.broken).toEqual(['connect-src', 'img-src', 'script-src-elem'])
      expect(refused.title).not.toBe('ran')
      await own.close()
    })

    it('says that nobody vouches for a key that came with the file', async () => {
      const { faults, text } = await verifier.verdictOf(bundle)
      expect(faults).toEqual([])
      expect(text).toContain('Nobody vouches for this key')
      expect((await verdictOf(bundle, [])).text).toContain('nobody vouches for this key')
    })

    it('takes the key as a file that a minisign key signed, and no other', async () => {
      const key = `${keyOf(server)}\n`
      const [own, other] = [minisigned(key), minisigned(key)]
      const files = (text: string, signature: string) => [
        { name: 'key.txt', text },
        { name: 'key.txt.minisig', text: signature },
      ]
      const say = async (text: string, signature: string, minisign: string) => {
        const { named, text: words } = await verifier.verdictOf(bundle, { keyFiles: files(text, signature), minisign })
        return { named, vouched: words.includes('with the key that you gave') }
      }
      const refused = { named: ['no_key key'], vouched: false }
      expect(await say(key, own.signature, own.minisign)).toEqual({ named: [], vouched: true })
      expect(await say(key, own.signature, other.minisign)).toEqual(refused)
      expect(await say(key.replace('+', '+0'), own.signature, own.minisign)).toEqual(refused)
      const changed = own.signature.replace('the key', 'another key')
      expect(await say(key, changed, own.minisign)).toEqual(refused)

      const folder = await mkdtemp(join(tmpdir(), 'key-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const sayPython = async (text: string, signature: string, minisign: string) => {
        const file = join(folder, 'key.txt')
        await writeFile(file, text)
        await writeFile(`${file}.minisig`, signature)
        return (await verdictOf(bundle, ['--key-file', file, '--minisign', minisign])).named
      }
      expect(await sayPython(key, own.signature, own.minisign)).toEqual([])
      expect(await sayPython(key, own.signature, other.minisign)).toEqual(refused.named)
      expect(await sayPython(key.replace('+', '+0'), own.signature, own.minisign)).toEqual(refused.named)
      expect(await sayPython(key, changed, own.minisign)).toEqual(refused.named)
    })

    it('shows what was left out, taken out and redacted, and that the rest holds', async () => {
      const members = await bundleOf(server, session, { evidence: 'audio_chunk' })
      const [first, ...rest] = members.get('transcript.jsonl')!.toString().split('\n')
      const gone = createHash('sha256').update(`\0${first}`).digest('hex')
      const redacted = new Map([
        ...members,
        ['transcript.jsonl', Buffer.from([JSON.stringify({ redacted: gone }), ...rest].join('\n'))],
      ])
      redacted.delete('consents.json')
      const { named, text } = await verifier.verdictOf(redacted, { key: keyOf(server) })
      expect(named).toEqual([])
      expect(text).toContain('consents.json was taken out after this file was made.')
      expect(text).toContain('transcript.jsonl 1 of 2 lines were taken out; the others hold.')
      expect(text).toMatch(/screenshot-evd_\w+\.webp was not asked for when this file was made\./)
      expect(text).toContain('Sentence 1.')
      expect(text).not.toContain('Sentence 0.')
      expect(await verdictOf(redacted, ['--key', keyOf(server)])).toMatchObject({ code: 0, faults: [] })
    })

    const ofSizes = proofSize({ small: [], large: [2 ** 25 + 1000] })
    it.each(ofSizes)(
      'reads a file with %i bytes piece by piece, and one whose directory has the fields of ZIP64',
      async (size) => {
        // Python's own writer, so that the reader is not only tried against the writer of this house.
        const write = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w") as new:
    for name in old.namelist():
        with new.open(name, "w", force_zip64=True) as member:
            member.write(old.read(name))
`
        const folder = await mkdtemp(join(tmpdir(), 'large-'))
        const [from, to] = [`${folder}/from.zip`, `${folder}/to.zip`]
        const members = unzip(bundle)
        const path = [...members.keys()].find((name) => name.startsWith('evidence/'))!
        await writeFile(from, zip(resealed(server, members, path, Buffer.alloc(size, 'x'))))
        execFileSync(python, ['-c', write, from, to])
        const large = await readFile(to)
        await rm(folder, { recursive: true })
        // Its bytes are what was sealed, and not what the session had.
        const { named } = await verifier.verdictOf(large, { key: keyOf(server) })
        expect(named).toEqual([`evidence_not_as_listed ${path}`, `evidence_not_as_stored ${path}`])
      },
    )

    it('is used with the keyboard alone, on a narrow screen, in the dark', async () => {
      const own = await openVerifier(browser, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
      const { page } = own
      await own.verdictOf(bundle, { key: keyOf(server) })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
      expect(await page.evaluate('document.activeElement.textContent')).toBe('What is in this file holds')
      expect(await page.getByRole('status').last().innerText()).toBe('Checked: what is there holds.')
      await page.getByLabel('The published key').focus()
      for (const name of ['The key as a file, or signed with minisign', '', '', 'Check']) {
        await page.keyboard.press('Tab')
        expect(await page.evaluate('document.activeElement.textContent')).toBe(name)
      }
      await page.keyboard.press('Enter')
      await page.locator('#summary h2:focus').waitFor()
      expect(own.seen.errors).toEqual([])
      await own.close()
    })

    it('says what is no bundle at all', async () => {
      const not: Members = new Map([['other.txt', Buffer.from('words')]])
      for (const file of [Buffer.from('words'), bundle.subarray(0, bundle.length - 10), not]) {
        expect((await verifier.verdictOf(file, { key: keyOf(server) })).faults).toEqual(['not_a_bundle'])
        expect(await verdictOf(file, ['--key', keyOf(server)])).toMatchObject({ code: 2, faults: ['not_a_bundle'] })
      }
    })
  })
