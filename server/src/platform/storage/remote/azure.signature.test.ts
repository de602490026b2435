import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { signAzure } from './azure.signature.ts'

it('signs the text that the makers describe, query and own headers in order', () => {
  const key = Buffer.from('a key').toString('base64')
  const url = new URL('https://account1.blob.core.windows.net/evidence/a/b?comp=block&blockid=MDE%3D')
  const headers = { 'Content-Length': '3', 'content-md5': 'bWQ1', 'x-ms-meta-putid': '7' }
  const signed = signAzure({ method: 'PUT', url, headers }, { account: 'account1', key }, Date.UTC(2026, 0, 1))
  const text = [
    ...['PUT', '', '', '3', 'bWQ1', '', '', '', '', '', '', ''],
    ...['x-ms-date:Thu, 01 Jan 2026 00:00:00 GMT', 'x-ms-meta-putid:7', 'x-ms-version:2021-12-02'],
    ...['/account1/evidence/a/b', 'blockid:MDE=', 'comp:block'],
  ].join('\n')
  const signature = createHmac('sha256', 'a key').update(text).digest('base64')
  expect(signed['authorization']).toBe(`SharedKey account1:${signature}`)
})
