import { contrastOf } from '@integrity/protocol/clients/contrast'
import type { Email } from 'postal-mime'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canReadPdf, readPdf } from '../../../src/platform/pdf/pdf.test-support.ts'
import { type TestBrand, testBrands, wear } from '../../test-support/brands.ts'
import { pendingInvite } from '../../test-support/invites.ts'
import { candidateAddress, invite, portal, type Team } from '../../test-support/link-pages.ts'
import { parseOutbox } from '../../test-support/mail.ts'
import { startServer } from '../../test-support/server.ts'

/** What is mailed and printed is no matter of a database. */
/** Without the appointment, which an invitation holds too. */
const pictures = <Part extends { mimeType: string }>(parts: readonly Part[]): Part[] =>
  parts.filter(({ mimeType }) => mimeType.startsWith('image/'))

describe('letters in the brand of an organisation', () => {
  let team: Team
  beforeAll(async () => {
    const server = await startServer()
    team = { server, orgId: server.orgs[0].orgId, api: server.client(server.orgs[0].liveKey) }
  })
  afterAll(() => team.server.stop())

  const mailsAfter = async (work: () => Promise<unknown>): Promise<Email[]> => {
    const ids = async () => {
      await team.server.processAll()
      return parseOutbox(team.server)
    }
    const before = new Set((await ids()).map(({ messageId }) => messageId))
    await work()
    return (await ids()).filter(({ messageId }) => !before.has(messageId))
  }
  const buttonOf = (html = '') => /<td bgcolor="(#\w+)".*?color:(#\w+);.*?>([^<]+)<\/a>/s.exec(html)?.slice(1) ?? []

  /** One of each kind: an invitation, a link to the requests, and an invite to become a member. */
  const oneOfEach = (locale: string): Promise<Email[]> =>
    mailsAfter(async () => {
      const { sessionId } = await invite(team, { locale })
      await team.server.client().call('candidateRequests.links.mail', { body: { sessionId, email: candidateAddress } })
      await pendingInvite(team.server)
    })

  it.each<TestBrand & { locale?: string }>(testBrands)(
    'mails say who writes, in their colours, and whom to ask: $name',
    async (brand) => {
      await wear(team, brand)
      const mails = await oneOfEach('en')
      expect(mails).toHaveLength(3)
      for (const { subject, html = '', text = '', attachments, headers } of mails) {
        expect(text).toContain(brand.displayName)
        expect(html, subject).toContain(`>${brand.displayName.replace('&', '&amp;')}</p>`)
        const [ground = '', front = '', words] = buttonOf(html)
        expect([ground, front]).toEqual([brand.palette.accent, brand.palette.accentText])
        expect(contrastOf(ground, front)).toBeGreaterThanOrEqual(4.5)
        expect(words).toMatch(/^(Open your page|Open the page|Read the invitation)$/)
        const [logo, ...others] = pictures(attachments)
        expect([others, logo?.mimeType, logo?.disposition]).toEqual([[], 'image/png', 'inline'])
        expect(html).toContain(`src="cid:${logo?.contentId?.slice(1, -1)}"`)
        expect(await sharp(Buffer.from(logo?.content as ArrayBuffer)).metadata()).toMatchObject({
          width: 96,
          height: 96,
        })
        expect(html.replaceAll(/href="[^"]*"/g, '')).not.toMatch(/(?:src|url)[=(]"?https?:/)
        // The appointment's file is beside the two forms of the letter.
        const form = attachments.length > 1 ? 'multipart/mixed' : 'multipart/alternative'
        expect(headers.find(({ key }) => key === 'content-type')?.value).toContain(form)
        const toCandidate = !subject?.includes('invites you')
        expect(text.includes(`about your data: ${brand.privacyContact}`), subject).toBe(toCandidate)
      }
      expect(mails.filter(({ text }) => text?.includes(`> ${brand.welcome}`))).toHaveLength(1)
    },
  )

  it.skipIf(!canReadPdf)(
    'a report on paper has the name, the logo, and the colour as far as white paper takes it',
    async () => {
      for (const brand of testBrands) {
        await wear(team, brand)
        const { sessionId } = await invite(team)
        const answer = await portal(team, 'portal.report.export', { id: sessionId }, undefined, { revision: 0 })
        const { text, objects } = readPdf(Buffer.from(await answer.arrayBuffer()))
        expect(text.trimStart().startsWith(brand.displayName)).toBe(true)
        expect(objects).toContain('/Subtype /Image')
      }
    },
  )

  it('mails say no address that somebody typed in as the name', async () => {
    await portal(team, 'portal.branding.set', {}, { displayName: 'Harbour https://evil.example/win' })
    const mails = await oneOfEach('en')
    expect(mails).toHaveLength(3)
    for (const { subject = '', html = '', text = '' } of mails) {
      expect(text).toContain('Harbour')
      expect(`${subject} ${html} ${text}`).not.toContain('evil.example')
    }
  })

  it('mails are in Hindi to whom reads it, and have no picture and the own look where nothing was set', async () => {
    await portal(team, 'portal.branding.set', {}, { privacyContact: 'privacy@harbour.example' })
    await portal(team, 'portal.branding.logo.remove', {})
    const mails = (await oneOfEach('hi')).filter(({ subject = '' }) => /[ऀ-ॿ]/.test(subject))
    expect(mails).toHaveLength(2)
    for (const { html, text, attachments } of mails) {
      expect(buttonOf(html)).toEqual(['#1d4f91', '#ffffff', expect.stringMatching(/पेज खोलें/)])
      expect(text).toContain('में इनसे पूछें: privacy@harbour.example')
      expect(pictures(attachments)).toEqual([])
      expect(html).not.toContain('<img')
    }
  })
})
