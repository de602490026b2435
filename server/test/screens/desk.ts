import type { Page } from 'playwright-core'
import { interviewed, requestsLink } from '../test-support/link-pages.ts'
import { titleOn } from '../test-support/pages.ts'
import { addMember } from '../test-support/portal.ts'
import { buildRoomClient } from '../test-support/room-pages.ts'
import { testPassword } from '../test-support/server.ts'
import type { Album, Shoot } from './album.ts'
import { deskStates } from './desk-states.ts'
import { type Studio, snapAll, withStudio } from './studio.ts'

/** The sections of each room, in the order of its navigation. */
const sections = {
  organisation: [
    ...['general', 'members', 'invites', 'roles', 'policies', 'retention', 'holds', 'storage', 'usage', 'insights'],
    ...['plan', 'data-processing', 'statement', 'audit'],
  ],
  developers: ['keys', 'webhooks', 'sandbox', 'events', 'samples'],
  connections: ['sso', 'domains', 'provisioning', 'hiring-systems', 'chat', 'brand'],
} as const

/** A page is drawn once it has a heading and nothing on it is still being asked for. */
export const drawn = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText('Loading …').first().waitFor({ state: 'detached' })
  // Days are written on a plot, and go on each day.
  await page.evaluate(
    `for (const canvas of document.querySelectorAll('.plot canvas')) canvas.style.visibility = 'hidden'`,
  )
}

/** Signs in at the door of the desk. */
export const signInAs = async (page: Page, url: string, email: string): Promise<void> => {
  await page.goto(`${url}/desk/`)
  await titleOn(page, 'Sign in to your account')
  await page.getByLabel('Your e-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.keyboard.press('Enter')
  await page.getByLabel('Password', { exact: true }).waitFor({ state: 'detached' })
}

/** The page of an owner who has signed in. */
export const signInOwner = async ({ server, orgId, sit }: Studio): Promise<Page> => {
  const { page } = await sit({ camera: false })
  const { email } = await addMember(server, 'owner', orgId)
  await signInAs(page, server.url, email)
  await titleOn(page, 'Today')
  return page
}

const interviewDays = async (album: Album, page: Page, { server }: Studio, sessionId: string): Promise<void> => {
  await page.getByRole('link', { name: 'A. Candidate', exact: true }).waitFor()
  await snapAll(album, page, '01-today')
  const pages = [
    ['02-interviews', 'interviews'],
    ['03-schedule', 'interviews/new'],
    ['04-interview', `interviews/${sessionId}`],
    ['05-live', 'live'],
    ['06-reviews', 'reviews'],
    ['07-requests', 'requests'],
  ] as const
  for (const [name, path] of pages) {
    await page.goto(`${server.url}/desk/${path}`)
    await drawn(page)
    await snapAll(album, page, name)
  }
  await page.goto(`${server.url}/desk/review/${sessionId}`)
  await page.getByText('Take this review').waitFor()
  await drawn(page)
  await snapAll(album, page, '08-review')
}

const rooms = async (album: Album, page: Page, { server }: Studio): Promise<void> => {
  let number = 9
  for (const [room, names] of Object.entries(sections))
    for (const name of names) {
      await page.goto(`${server.url}/desk/${room}/${name}`)
      await drawn(page)
      await snapAll(album, page, `${String(number).padStart(2, '0')}-${room}-${name}`)
      number += 1
    }
}

/** The desk of an owner: an interview that waits for review, with a request of its candidate, every section, and other states. */
export const deskScreens: Shoot = {
  name: 'desk',
  run: async (album) => {
    buildRoomClient()
    await withStudio({ scene: 'room', width: 1100, height: 760, atItsAddress: true }, async (studio) => {
      const invited = await interviewed(studio)
      const { token } = await requestsLink(studio, invited)
      const body = { kind: 'context_statement', text: 'The second voice was my neighbour.' } as const
      await studio.server.client(token).call('candidateRequests.submit', { body })
      await studio.server.processAll()
      const page = await signInOwner(studio)
      await interviewDays(album, page, studio, invited.sessionId)
      await rooms(album, page, studio)
      await deskStates(album, page, studio)
    })
  },
}
