import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canReadPdf, readPdf } from '../../../src/platform/pdf/pdf.test-support.ts'
import { logoOf, testBrands } from '../../test-support/brands.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

const [brand] = testBrands
const typed = { displayName: brand.displayName, welcome: 'Glad that you come <b>.', ...brand.palette }

for (const engine of enginesInTurn(import.meta.filename))
  describe(`a brand that is typed (${engine})`, () => {
    let server: TestServer
    let params: { orgId: string }
    beforeAll(async () => {
      server = await startServer({ engine })
      params = { orgId: server.orgs[0].orgId }
      const data = (await logoOf(brand)).toString('base64')
      await asMember(server, 'portal.branding.logo.set', { params, body: { contentType: 'image/png', data } })
    })
    afterAll(() => server.stop())

    const shown = async (path: string, query: Readonly<Record<string, string>>) => {
      const url = `${server.url}/v1/orgs/${params.orgId}/${path}?${new URLSearchParams(query)}`
      return fetch(url, { headers: await portalCookie(server) })
    }

    describe('portal.invitations.letter', () => {
      it('is the letter itself in that brand, which only a page of this service may frame and which loads nothing', async () => {
        const answer = await shown('invitations/letter', typed)
        expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
        const policy = answer.headers.get('content-security-policy')?.split('; ')
        expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'self'", 'sandbox']))
        const html = await answer.text()
        expect(html).toContain(`bgcolor="${brand.palette.accent}"`)
        expect(html).toContain('Glad that you come &lt;b&gt;.')
        expect(html).toContain('src="data:image/png;base64,')
        expect(html).not.toContain('cid:')
        expect((await asMember(server, 'portal.branding.get', { params })).version).toBe(0)
      })

      it('says the letter in the language that is asked for, and is of whoever may set a brand', async () => {
        expect(await (await shown('invitations/letter', { locale: 'hi' })).text()).toContain('<html lang="hi">')
        expect((await shown('invitations/letter', { accent: 'red' })).status).toBe(400)
        const bare = await fetch(`${server.url}/v1/orgs/${params.orgId}/invitations/letter`)
        expect(bare.status).toBe(401)
      })
    })

    describe('portal.compliance.paper', () => {
      it.skipIf(!canReadPdf)('is a PDF under that letterhead, and no signed statement', async () => {
        const answer = await shown('compliance/statement/paper', typed)
        expect(answer.headers.get('content-type')).toBe('application/pdf')
        expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'self'")
        const { text, checked } = readPdf(Buffer.from(await answer.arrayBuffer()))
        expect(checked).toContain('No syntax or stream encoding errors')
        expect(text).toContain(brand.displayName)
        expect(text).not.toContain('SHA-256')
        const rows = await server.app.db.reader.all('SELECT * FROM org_statements')
        expect(rows).toEqual([])
      })
    })

    describe('portal.branding.set', () => {
      it('tells the second of two who set what both have seen, in the same millisecond too', async () => {
        const set = (displayName: string, expectedVersion?: number) =>
          asMember(server, 'portal.branding.set', { params, body: { displayName, expectedVersion } })
        const { version } = await asMember(server, 'portal.branding.get', { params })
        const first = await set('First', version)
        expect(await refusalOf(set('Second', version))).toMatchObject({ status: 409 })
        const second = await set('Second', first.version)
        expect(second.version).toBeGreaterThan(first.version)
        expect((await set('Third')).resolved.displayName).toBe('Third')
      })
    })
  })
