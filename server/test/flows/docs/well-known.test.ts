import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test-support/server.ts'

const baseUrl = 'https://integrity.example/service'
let server: TestServer
beforeAll(async () => {
  const env = { BASE_URL: baseUrl, SECURITY_CONTACT: 'security@example.org, https://example.org/report' }
  server = await startServer({ env })
})
afterAll(() => server.stop())

const get = (path: string, to = server) => fetch(`${to.url}${path}`, { redirect: 'manual' })

/** RFC 9116, 4: lines of `Name: value`, comments and empty lines. */
const fieldsOf = (text: string): [name: string, value: string][] =>
  text
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, value] = /^([\w-]+): (\S.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`no field: ${line}`)
      return [name, value]
    })

describe('GET /.well-known/security.txt', () => {
  it('names the contacts in their order, and one end within a year', async () => {
    const response = await get('/.well-known/security.txt')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const fields = fieldsOf(await response.text())
    const of = (name: string) => fields.filter(([given]) => given === name).map(([, value]) => value)
    expect(of('Contact')).toEqual(['mailto:security@example.org', 'https://example.org/report'])
    expect(of('Canonical')).toEqual([`${baseUrl}/.well-known/security.txt`])
    const [expires = '', ...more] = of('Expires')
    expect(more).toEqual([])
    const days = (Date.parse(expires) - server.clock.now()) / 86_400_000
    expect(days).toBeGreaterThan(150)
    expect(days).toBeLessThan(365)
  })

  it('has not ended in a process that has run for a year', async () => {
    server.clock.advance(366 * 86_400_000)
    const fields = new Map(fieldsOf(await (await get('/.well-known/security.txt')).text()))
    expect(Date.parse(fields.get('Expires') ?? '')).toBeGreaterThan(server.clock.now())
  })

  it('is not there where the operator names no contact, and a contact that nobody can use ends the start', async () => {
    const silent = await startServer()
    expect((await get('/.well-known/security.txt', silent)).status).toBe(404)
    await silent.stop()
    await expect(startServer({ env: { SECURITY_CONTACT: 'somebody' } })).rejects.toThrow('SECURITY_CONTACT')
  })
})

describe('GET /.well-known/change-password', () => {
  it('leads to the page on which a password is changed, also below a path', async () => {
    const response = await get('/.well-known/change-password')
    expect(response.status).toBe(302)
    const target = new URL(response.headers.get('location') ?? '', `${baseUrl}/.well-known/change-password`)
    expect(target.href).toBe(`${baseUrl}/password/`)
    expect((await get('/password/')).status).not.toBe(404)
  })

  it('can be believed, as a path that must not exist does not', async () => {
    const response = await get('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200')
    expect(response.status).toBe(404)
  })
})
