import { describe, expect, it } from 'vitest'
import { samlKeys } from '../../../../test/test-support/saml-keys.ts'
import { certificateOf } from './certificates.model.ts'

const pem = samlKeys.a.certificate.trim()
const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'
const base64 = pem.replaceAll(/-----[^-]+-----|\s/g, '')

describe('a certificate', () => {
  const pasted: Record<string, string> = {
    'as it is': pem,
    'base64 alone': base64,
    'base64 alone, on lines': base64.replaceAll(/(.{60})/g, '$1\r\n'),
    'on one line with blanks': pem.replaceAll('\n', ' '),
    'without any break': pem.replaceAll('\n', ''),
    'with breaks written as \\n': pem.replaceAll('\n', '\\n'),
    indented: pem.replaceAll(/^/gm, '      '),
    'with what openssl writes around it': `Bag Attributes\n    friendlyName: idp\nsubject=/CN=idp\n${pem}\n`,
    'under its old name': pem.replaceAll('CERTIFICATE', 'X509 CERTIFICATE'),
  }
  for (const [name, text] of Object.entries(pasted))
    it(`is read however it was pasted: ${name}`, () => {
      expect(certificateOf(text, 'x')).toBe(pem)
    })

  it('is one, and no key', () => {
    expect(() => certificateOf(`${pem}\n${pem}`, 'x')).toThrow('one certificate: give each')
    expect(() => certificateOf(`${samlKeys.a.key}\n${pem}`, 'x')).toThrow('one certificate: give each')
    expect(() => certificateOf(samlKeys.a.key, 'x')).toThrow('a key is none')
    expect(() => certificateOf(`${begin}${base64}`, 'x')).toThrow('PEM or base64')
    expect(() => certificateOf(`${end}${base64}${begin}`, 'x')).toThrow('PEM or base64')
    expect(() => certificateOf(`${begin}AAAA${end}`, 'x')).toThrow('is no X.509 certificate')
  })
})
