import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { newSelfSigned } from './self-signed.ts'

it('makes a certificate that node reads, of this key, signed by it, for this time', async () => {
  const [from, until] = [Date.parse('2049-12-31T23:59:59Z'), Date.parse('2050-01-01T00:00:00Z')]
  const { key, certificate } = await newSelfSigned('sign-in of ä', from, until)
  const read = new X509Certificate(certificate)
  expect(read.subject).toBe('CN=sign-in of ä')
  expect([read.validFromDate.getTime(), read.validToDate.getTime()]).toEqual([from, until])
  expect([read.verify(read.publicKey), read.checkPrivateKey(createPrivateKey(key))]).toEqual([true, true])
})
