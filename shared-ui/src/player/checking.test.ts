import { captureItemText, captureKeyText } from '@integrity/protocol/capture-texts'
import { describe, expect, it } from 'vitest'
import { checkerOf, type RegisteredKey, type Said } from './checking.ts'
import type { ReelItem } from './reel.ts'

const sessionId = 'ses_1'
const documentHash = 'd'.repeat(64)
const bytes = new Uint8Array([1, 2, 3])
const sha256 = '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81'
const capturedAt = '2026-11-27T09:00:00.000Z'
const item: ReelItem = { id: 'evd_1', atMs: 0, durationMs: null, contentType: 'image/webp', sha256, bytes }

const machine = async () => {
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('no pair of keys')
  const { x: key = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const signed = async (text: string) => {
    const made = await crypto.subtle.sign('Ed25519', pair.privateKey, new TextEncoder().encode(text))
    const base64 = btoa(String.fromCharCode(...new Uint8Array(made)))
    return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }
  const place = { sequence: 1, previous: '0'.repeat(64) }
  const about = { ...place, sessionId, evidenceType: 'screenshot', sha256, durationMs: null }
  const text = captureItemText({ ...about, capturedAt: Date.parse(capturedAt) })
  const registration = captureKeyText({ sessionId, key, documentHash })
  const said: Said = {
    sha256,
    evidenceType: 'screenshot',
    capturedAt,
    signature: { key, ...place, signature: await signed(text), verified: true },
  }
  const registered: RegisteredKey = { key, documentHash, signature: await signed(registration) }
  return { said, registered }
}

const found = (said: Said | undefined, keys: readonly RegisteredKey[], given: Partial<ReelItem> = {}) =>
  checkerOf(sessionId, { saidOf: async () => said, keys: async () => keys })({ ...item, ...given })

describe('an item of a reel', () => {
  it('is signed where the machine of the session signed what it is', async () => {
    const { said, registered } = await machine()
    expect(await found(said, [registered])).toBe('signed')
  })

  it('is unsigned where no machine signed it, or nothing is known of it', async () => {
    const { said, registered } = await machine()
    expect(await found({ ...said, signature: null }, [registered])).toBe('unsigned')
    expect(await found(undefined, [registered])).toBe('unsigned')
  })

  it('does not fit with other bytes, or another hash than the list of evidence has', async () => {
    const { said, registered } = await machine()
    expect(await found(said, [registered], { bytes: new Uint8Array([1, 2, 4]) })).toBe('unfit')
    expect(await found(undefined, [registered], { bytes: new Uint8Array([1, 2, 4]) })).toBe('unfit')
    expect(await found({ ...said, sha256: 'e'.repeat(64) }, [registered])).toBe('unfit')
  })

  it.each([
    ['another time', { capturedAt: '2026-11-27T09:00:00.001Z' }],
    ['another type', { evidenceType: 'camera_frame' }],
    ['another length', { durationMs: 5 }],
  ])('does not fit a signature over %s', async (_what, change) => {
    const { said, registered } = await machine()
    expect(await found({ ...said, ...change }, [registered])).toBe('unfit')
  })

  it('does not fit a key that is none of the session, or was not registered by who has it', async () => {
    const { said, registered } = await machine()
    expect(await found(said, [])).toBe('unfit')
    expect(await found(said, [(await machine()).registered])).toBe('unfit')
    expect(await found(said, [{ ...registered, documentHash: 'e'.repeat(64) }])).toBe('unfit')
  })

  it('does not fit where the service said so when it came, or what is said is no signature', async () => {
    const { said, registered } = await machine()
    const signature = said.signature!
    expect(await found({ ...said, signature: { ...signature, verified: false } }, [registered])).toBe('unfit')
    expect(await found({ ...said, signature: { ...signature, signature: 'no!' } }, [registered])).toBe('unfit')
  })

  it('is asked about again where the keys could not be', async () => {
    const { said, registered } = await machine()
    let tries = 0
    const keys = async () => {
      tries += 1
      if (tries === 1) throw new Error('no network')
      return [registered]
    }
    const check = checkerOf(sessionId, { saidOf: async () => said, keys })
    await expect(check(item)).rejects.toThrow('no network')
    expect(await check(item)).toBe('signed')
    expect(await check(item)).toBe('signed')
    expect(tries).toBe(2)
  })
})
