import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram, runCommand } from '../../shared/child-process.ts'
import { type MinisignPublicKey, parsePublicKey, parseSignature, verifyMinisign } from './minisign.ts'
import { makeSigner } from './test-support/signer.ts'

const faultOf = (action: () => unknown): unknown => {
  try {
    action()
  } catch (error) {
    return (error as { fault?: unknown }).fault
  }
  return 'accepted'
}

const document = Buffer.from('{"kind":"update_manifest","sequence":7,"notes":"größer"}\n')

const check = (message: Buffer, text: string, ...keys: MinisignPublicKey[]): unknown =>
  faultOf(() => verifyMinisign(message, parseSignature(text), keys))

describe.skipIf(findProgram('minisign') === undefined)('what minisign itself makes', () => {
  let folder: string
  const path = (name: string): string => join(folder, name)
  const minisign = async (...args: string[]): Promise<number | null> =>
    (await runCommand('minisign', args, { timeoutMs: 60_000 })).code
  const makeKey = async (name: string): Promise<MinisignPublicKey> => {
    expect(await minisign('-G', '-W', '-p', path(`${name}.pub`), '-s', path(`${name}.sec`))).toBe(0)
    return parsePublicKey(await readFile(path(`${name}.pub`), 'utf8'))
  }
  const sign = async (...options: string[]): Promise<string> => {
    const files = ['-s', path('a.sec'), '-m', path('document'), '-x', path('signature')]
    expect(await minisign('-S', ...files, '-t', 'timestamp:1 file:document', ...options)).toBe(0)
    return readFile(path('signature'), 'utf8')
  }
  let ours: MinisignPublicKey
  let other: MinisignPublicKey

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'minisign-'))
    await writeFile(path('document'), document)
    ours = await makeKey('a')
    other = await makeKey('b')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is read: a public key from its file and from its one line has the id that minisign prints', async () => {
    const text = await readFile(path('a.pub'), 'utf8')
    // Minisign prints the id as a number: one key in sixteen begins with a zero, which it leaves out.
    expect(text).toContain(`minisign public key ${ours.keyId.replace(/^0+/, '')}\n`)
    expect(parsePublicKey(text.split('\n')[1]!).keyId).toBe(ours.keyId)
    expect(parsePublicKey(text.replaceAll('\n', '\r\n')).keyId).toBe(ours.keyId)
  })

  it('is accepted, prehashed and legacy, whatever key stands first', async () => {
    for (const [algorithm, option] of [
      ['ED', '-H'],
      ['Ed', '-l'],
    ] as const) {
      const signature = parseSignature(await sign(option))
      expect(signature).toMatchObject({ algorithm, trustedComment: 'timestamp:1 file:document' })
      expect(verifyMinisign(document, signature, [other, ours]).keyId).toBe(ours.keyId)
    }
  })

  it('is refused once a single bit of the document is another', async () => {
    for (const option of ['-H', '-l']) {
      const text = await sign(option)
      for (const at of [0, document.length - 1]) {
        const flipped = Buffer.from(document)
        flipped[at] = flipped[at]! ^ 1
        expect(check(flipped, text, ours)).toBe('tampered')
      }
      expect(check(document.subarray(0, -1), text, ours)).toBe('tampered')
    }
  })

  it('is refused with the comment of another signature', async () => {
    const lines = (await sign()).split('\n')
    await writeFile(path('document'), 'another document')
    const comment = (await sign('-t', 'timestamp:2 file:document')).split('\n')
    await writeFile(path('document'), document)
    expect(check(document, [...lines.slice(0, 2), comment[2], lines[3], ''].join('\n'), ours)).toBe('tampered')
    expect(check(document, [...lines.slice(0, 2), ...comment.slice(2)].join('\n'), ours)).toBe('tampered')
  })

  it('is refused when no trusted key made it, also under the id of one that is', async () => {
    const text = await sign()
    expect(check(document, text, other)).toBe('unknown_key')
    expect(check(document, text)).toBe('unknown_key')
    expect(check(document, text, { ...other, keyId: ours.keyId })).toBe('tampered')
    expect(check(document, text, { ...other, keyId: ours.keyId }, ours)).toBe('accepted')
  })

  it('is accepted with the line ends of Windows, and the document is not: its bytes are what is signed', async () => {
    const text = await sign()
    expect(check(document, text.replaceAll('\n', '\r\n'), ours)).toBe('accepted')
    expect(check(document, text.trimEnd(), ours)).toBe('accepted')
    expect(check(Buffer.from(document.toString().replaceAll('\n', '\r\n')), text, ours)).toBe('tampered')
  })

  it('accepts what the test signer makes, so that the other tests stand for minisign', async () => {
    const signer = makeSigner()
    await writeFile(path('signer.minisig'), signer.sign(document))
    const files = ['-m', path('document'), '-x', path('signer.minisig')]
    expect(await minisign('-V', ...files, '-P', signer.publicKey)).toBe(0)
    expect(await minisign('-V', ...files, '-p', path('a.pub'))).not.toBe(0)
  })
})

const ofAnotherKind = (encoded: string): string => {
  const bytes = Buffer.from(encoded, 'base64')
  bytes.write('Xd')
  return bytes.toString('base64')
}

describe('a signature by the rules of minisign', () => {
  it('holds for its own comment alone, where the program itself cannot be asked', () => {
    const signer = makeSigner()
    const key = parsePublicKey(signer.publicKey)
    const text = signer.sign(document)
    expect(check(document, text, key)).toBe('accepted')
    expect(check(document, text.replace('timestamp:1', 'timestamp:2'), key)).toBe('tampered')
  })
})

describe('a text that is no signature', () => {
  const signer = makeSigner()
  const text = signer.sign(document)

  it('is refused when it ends early, at any character', () => {
    for (let length = 0; length < text.trimEnd().length; length += 1) {
      expect(check(document, text.slice(0, length), parsePublicKey(signer.publicKey)), `${length}`).toBe('malformed')
    }
  })

  it('is refused with more lines, with spaces in the base64, of another kind, or far too long', () => {
    const lines = text.split('\n')
    const broken = [
      `${text}more\n`,
      text.replace(lines[1]!, ` ${lines[1]}`),
      text.replace(lines[1]!, ofAnotherKind(lines[1]!)),
      text.replace('untrusted comment', 'comment'),
      text.replace(lines[2]!, `${lines[2]}${'x'.repeat(20_000)}`),
      '<!doctype html><title>Sign in to the network</title>',
    ]
    for (const one of broken)
      expect(
        faultOf(() => parseSignature(one)),
        one.slice(0, 60),
      ).toBe('malformed')
  })

  it('is told from a public key that is cut, of another kind, or two lines', () => {
    const key = signer.publicKey
    for (const one of [key.slice(0, -4), ofAnotherKind(key), `${key}\n${key}`, '', 'RWQ'])
      expect(
        faultOf(() => parsePublicKey(one)),
        one,
      ).toBe('malformed')
  })
})
