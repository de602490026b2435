import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test-support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

it('serves the page that checks a bundle as it is kept, to anybody, without a network of its own', async () => {
  const answer = await fetch(`${server.url}/verify/`)
  const page = await readFile(resolve(import.meta.dirname, '../../../../docs/verify/verify-bundle.html'), 'utf8')
  expect([answer.status, await answer.text()]).toEqual([200, page])
  expect(answer.headers.get('content-type')).toContain('text/html')
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
  expect(answer.headers.get('content-security-policy')).not.toContain('connect-src')
})

it('leads there without the slash too', async () => {
  const answer = await fetch(`${server.url}/verify`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'verify/'])
})
