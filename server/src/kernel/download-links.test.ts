import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { verify } from '../platform/crypto/signed-token.ts'
import { downloadLink, downloadLinkMs } from './download-links.ts'

const downloadKey = createSecretKey(Buffer.alloc(32, 7))
const call = (environment: 'live' | 'sandbox', kind: 'api_key' | 'user') => ({
  downloadKey,
  clock: { now: () => 1000 },
  config: { baseUrl: 'https://x.example' },
  scope: { orgId: 'org_1', environment },
  actor: { kind, id: 'key_1' },
})

it.each(['live', 'sandbox'] as const)('a download link of the %s environment opens there, for five minutes', (of) => {
  const wanted = { kind: 'evidence', objectId: 'evd_1', path: '/v1/evidence/evd_1/content' }
  const { url, expiresAt } = downloadLink(call(of, 'api_key') as never, wanted)
  expect(expiresAt).toBe(new Date(1000 + downloadLinkMs).toISOString())
  expect(downloadLinkMs).toBe(300_000)
  const token = new URL(url).searchParams.get('token') ?? ''
  const grant = { objectId: 'evd_1', orgId: 'org_1', kind: `evidence:${of}`, expiresAt: 301_000 }
  expect(verify(token, downloadKey, 300_999)).toEqual({ ...grant, by: { kind: 'api_key', id: 'key_1', madeAt: 1000 } })
  expect(verify(token, downloadKey, 301_000)).toBe('expired')
  const person = downloadLink(call(of, 'user') as never, wanted)
  expect(verify(new URL(person.url).searchParams.get('token') ?? '', downloadKey, 1000)).toEqual({
    ...grant,
    by: { kind: 'user', id: 'key_1', madeAt: 1000 },
  })
})
