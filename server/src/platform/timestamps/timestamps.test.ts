import { createHash, randomBytes } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { PKIStatus, PKIStatusInfo, TimeStampResp } from '@peculiar/asn1-tsp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTimeAuthority, otherPolicy, type TimeAuthorityFiles } from './time-authority.test-support.ts'
import { verifyTimestamp } from './timestamp-answer.ts'
import { anchorsOf, isFit, readCertificates } from './timestamp-certificates.ts'
import type { TimestampRejected } from './timestamp-fault.ts'
import { nonceOf, timestampRequest } from './timestamp-request.ts'

const data = Buffer.from('three lines\nof a\ncheckpoint\n')
const hash = createHash('sha256').update(data).digest()

const faultOf = (check: () => unknown): string => {
  try {
    check()
    return 'none'
  } catch (error) {
    expect((error as Error).name).toBe('TimestampRejected')
    return (error as TimestampRejected).fault
  }
}

describe.each(['ec', 'rsa'] as const)('time stamps of an authority of OpenSSL with a key of %s', (kind) => {
  let authority: TimeAuthorityFiles
  let nonce: Buffer
  let answer: Buffer
  beforeAll(async () => {
    authority = await makeTimeAuthority(kind)
    nonce = nonceOf(randomBytes(8))
    answer = await authority.reply(timestampRequest({ hash, nonce, policy: null }))
  })
  afterAll(() => authority.remove())
  const check = (given: Uint8Array, change: object = {}) =>
    verifyTimestamp(given, { hash, nonce, policy: null, anchors: anchorsOf(authority.ca), ...change })
  /** The same answer with one bit of these bytes changed, or of what follows them so many bytes later. */
  const altered = (bytes: Buffer, later = 0): Buffer => {
    const copy = Buffer.from(answer)
    const at = answer.indexOf(bytes) + later
    expect(at).toBeGreaterThan(later)
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
    return copy
  }

  it('hold for what was stamped, and for OpenSSL too', async () => {
    const { at, authority: by, policy } = check(answer)
    expect(Math.abs(at - Date.now())).toBeLessThan(24 * 3_600_000)
    expect([by, policy]).toEqual(['O=Times, CN=stamps', '1.2.3.4.1'])
    expect(await authority.verify(answer, data)).toContain('Verification: OK')
  })

  it('hold without the nonce, which nobody keeps', () => {
    expect(check(answer, { nonce: undefined }).policy).toBe('1.2.3.4.1')
  })

  it('are given under the policy that was asked for', async () => {
    const other = await authority.reply(timestampRequest({ hash, nonce, policy: otherPolicy }))
    expect(check(other, { policy: otherPolicy }).policy).toBe(otherPolicy)
    expect(faultOf(() => check(answer, { policy: otherPolicy }))).toBe('other_policy')
  })

  it('hold for nothing else: not for other bytes, not for another question', () => {
    const others = createHash('sha256').update('others').digest()
    expect(faultOf(() => check(answer, { hash: others }))).toBe('other_imprint')
    expect(faultOf(() => check(answer, { nonce: nonceOf(Buffer.alloc(8, 1)) }))).toBe('other_nonce')
  })

  it('are refused in the words of the authority', async () => {
    const refused = await authority.reply(timestampRequest({ hash, nonce, policy: '1.9.9.9' }))
    expect(() => check(refused)).toThrow(/^it refused: .*policy/i)
    // A token does not help where the status says no.
    const whole = AsnConvert.parse(answer, TimeStampResp)
    whole.status = new PKIStatusInfo({ status: PKIStatus.rejection })
    expect(faultOf(() => check(Buffer.from(AsnConvert.serialize(whole))))).toBe('refused')
  })

  it('hold under the authority that was named, and under no other', async () => {
    const another = await makeTimeAuthority(kind)
    expect(faultOf(() => check(answer, { anchors: anchorsOf(another.ca) }))).toBe('authority_unknown')
    // None was named: those of the web do not know it.
    expect(faultOf(() => check(answer, { anchors: anchorsOf(null) }))).toBe('authority_unknown')
    const forged = await another.reply(timestampRequest({ hash, nonce, policy: null }))
    expect(faultOf(() => check(forged))).toBe('authority_unknown')
    expect(check(forged, { anchors: anchorsOf(`${authority.ca}${another.ca}`) }).at).toBeGreaterThan(0)
    await another.remove()
  })

  it('come from a certificate that is for time stamps alone, while it is valid', () => {
    const [[stamps], [loose]] = [readCertificates(authority.stamps)!, readCertificates(authority.loose)!]
    const now = Date.now()
    expect(isFit(stamps!, now)).toBe(true)
    expect(isFit(loose!, now)).toBe(false)
    for (const days of [-2, 3700]) expect(isFit(stamps!, now + days * 86_400_000)).toBe(false)
  })

  it('do not hold with anything altered in their token', () => {
    const certificate = readCertificates(authority.stamps)![0]!.raw
    const digestAttribute = Buffer.from('06092a864886f70d010904', 'hex')
    for (const one of [
      altered(hash),
      altered(digestAttribute, digestAttribute.length + 10),
      altered(createHash('sha256').update(certificate).digest()),
      // The signature is the last that is in it.
      altered(answer.subarray(-20)),
    ])
      expect(faultOf(() => check(one))).toBe('signature_broken')
  })

  it('are none where the bytes are none', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('<html>'), randomBytes(4000), answer.subarray(0, 200)])
      expect(faultOf(() => check(bytes))).toBe('unreadable')
  })
})
