import { describe, expect, it } from 'vitest'
import { signS3 } from './s3.signature.ts'

/** The examples of the maker's own documentation ("Signature Calculations for the Authorization Header"). */
describe('signature of S3 requests', () => {
  const credentials = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  }
  const now = Date.UTC(2013, 4, 24)
  const signatureOf = (method: 'GET' | 'PUT', path: string, headers = {}, body?: Buffer) => {
    const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`)
    return /Signature=(\w+)$/.exec(signS3({ method, url, headers, body }, credentials, now).authorization ?? '')?.[1]
  }

  it('is the published one for a range of an object', () => {
    expect(signatureOf('GET', '/test.txt', { Range: 'bytes=0-9' })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
  })

  it('is the published one for an object put', () => {
    const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
    expect(signatureOf('PUT', '/test%24file.text', headers, Buffer.from('Welcome to Amazon S3.'))).toBe(
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
  })

  it.each([
    ['/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('is the published one for the query of %s', (path, signature) => {
    expect(signatureOf('GET', path)).toBe(signature)
  })
})
