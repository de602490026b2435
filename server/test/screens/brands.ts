import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import type { Email } from 'postal-mime'
import { type TestBrand, testBrands, wear } from '../test-support/brands.ts'
import { buildCompanionClient, newPhoneLink } from '../test-support/companion-pages.ts'
import { pendingInvite } from '../test-support/invites.ts'
import { type Invited, invite, playedInterview, portal, requestsLink, type Team } from '../test-support/link-pages.ts'
import { parseOutbox } from '../test-support/mail.ts'
import { logoOn, pressOn, roomToLive, titleOn } from '../test-support/pages.ts'
import { buildRoomClient, newRoom } from '../test-support/room-pages.ts'
import type { Album, Shoot } from './album.ts'
import { type Studio, snap, snapOnce, withStudio } from './studio.ts'

const schedule = { startsAt: '2099-01-20T09:00:00.000Z', durationMinutes: 60, timeZone: 'Asia/Kolkata' }

const pages = async (album: Album, { server, api, sit, orgId }: Studio, { name }: TestBrand): Promise<void> => {
  const team: Team = { server, orgId, api }
  const { page } = await sit()
  const open = async (link: string, title: string, picture: string, take = snapOnce) => {
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).getByText(title).waitFor()
    await logoOn(page)
    await take(album, page, `${name}-${picture}`)
  }
  const invited = await invite(team, {}, { schedule })
  await open(invited.link, 'You are invited to an interview', '01-invitation', name === 'light' ? snap : snapOnce)
  await open((await requestsLink(team, await playedInterview(team))).link, 'Your interview data', '02-requests')
  await open((await newRoom(server, api, 5)).link, 'May this camera take pictures?', '03-room')
  await roomToLive(page)
  await page.getByAltText('The last picture sent').waitFor()
  await snapOnce(album, page, `${name}-04-room-live`)
  await pressOn(page, 'Stop')
  await snapOnce(album, page, `${name}-05-room-question`)
  const { id, token } = await pendingInvite(server, { message: 'Hello Asha!' }, orgId)
  await open(`${server.url}/invite/#${id}.${token}`, 'invites you', '06-invite')
}

const phone = async (album: Album, { server, api, sit }: Studio, { name }: TestBrand): Promise<void> => {
  const { page } = await sit()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto((await newPhoneLink(server, api)).link)
  await titleOn(page, 'May this phone show your desk?')
  await logoOn(page)
  await snapOnce(album, page, `${name}-07-phone`)
  await pressOn(page, 'I agree')
  await titleOn(page, 'Place the phone')
  await snapOnce(album, page, `${name}-08-phone-place`)
}

/** The HTML of a message, as a reader of mail shows it: with the picture that came with it, or with none. */
const showMail = async (page: Page, { html = '', attachments }: Email, pictures: boolean): Promise<void> => {
  const [logo] = attachments
  const data = logo ? Buffer.from(logo.content as ArrayBuffer).toString('base64') : ''
  await page.goto('about:blank')
  await page.setContent(html.replaceAll(/cid:[^"]*/g, pictures ? `data:image/png;base64,${data}` : 'about:blank'))
}

const mailOf = async ({ server }: Team, { sessionId }: Invited): Promise<Email> => {
  const found = (await parseOutbox(server)).filter(({ text }) => text?.includes(sessionId)).at(-1)
  if (!found) throw new Error('there is no such mail')
  return found
}

const mails = async (album: Album, { server, api, sit, orgId }: Studio, { name }: TestBrand): Promise<void> => {
  const team: Team = { server, orgId, api }
  const { page } = await sit({ camera: false })
  await page.setViewportSize({ width: 640, height: 720 })
  const message = 'Please have your portfolio at hand.'
  for (const locale of ['en', 'hi'] as const) {
    await showMail(page, await mailOf(team, await invite(team, { locale, message }, { schedule })), true)
    await snap(album, page, `${name}-09-mail${locale === 'en' ? '' : '-hindi'}`)
  }
  await showMail(page, await mailOf(team, await invite(team, {}, { schedule })), false)
  await snapOnce(album, page, `${name}-10-mail-without-pictures`)
}

const report = async (album: Album, { server, api, orgId }: Studio, { name }: TestBrand): Promise<void> => {
  const team: Team = { server, orgId, api }
  const { sessionId } = await playedInterview(team)
  const pdf = await portal(team, 'portal.report.export', { id: sessionId }, undefined, { format: 'pdf', revision: 0 })
  const input = Buffer.from(await pdf.arrayBuffer())
  const first = ['-png', '-r', '80', '-f', '1', '-l', '1', '-']
  await album.keep(`${name}-11-report`, execFileSync('pdftoppm', first, { input, maxBuffer: 1 << 26 }))
}

/** Everything that shows an organisation's look, with a light palette and with a dark one. */
export const brandScreens: Shoot = {
  name: 'brand',
  run: async (album) => {
    buildRoomClient()
    buildCompanionClient()
    await withStudio({ scene: 'room', width: 800, height: 720, atItsAddress: true }, async (studio) => {
      for (const brand of testBrands) {
        await wear(studio, brand)
        for (const part of [pages, phone, mails, report]) await part(album, studio, brand)
      }
    })
  },
}
