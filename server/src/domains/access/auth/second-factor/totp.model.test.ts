import { expect, it } from 'vitest'
import { newTotpSecret, stepOfCode, totpBase32, totpUri } from './totp.model.ts'

/** RFC 6238, appendix B, SHA-1: the last six of the eight digits printed there. */
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const
const seed = Buffer.from('12345678901234567890')

it.each(vectors)(
  'at %i seconds the code of RFC 6238 is right, in the step before and after it too',
  (seconds, code) => {
    const step = Math.floor(seconds / 30)
    for (const away of [-30, 0, 30]) expect(stepOfCode(seed, code, (seconds + away) * 1000)).toBe(step)
    for (const away of [-60, 60]) expect(stepOfCode(seed, code, (seconds + away) * 1000)).toBeUndefined()
  },
)

it('another code is wrong, whatever it is made of', () => {
  for (const code of ['287083', '', '28708', '2870820', 'abcdef', '２８７０８２'])
    expect(stepOfCode(seed, code, 59_000)).toBeUndefined()
})

it('a secret has 160 bits and is told as base32, in a URI that no address breaks', () => {
  const secret = newTotpSecret()
  expect(secret).toHaveLength(20)
  const uri = new URL(totpUri(secret, 'A: B', 'o&x?=#@example.org'))
  expect(uri.searchParams.get('secret')).toBe(totpBase32(secret))
  expect(uri.searchParams.get('issuer')).toBe('A  B')
  expect(decodeURIComponent(uri.pathname)).toContain('o&x?=#@example.org')
})
