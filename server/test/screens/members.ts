import { approvedRequest } from '../test-support/access-requests.ts'
import { pendingInvite } from '../test-support/invites.ts'
import { pressOn, titleOn } from '../test-support/pages.ts'
import { mailedTokens } from '../test-support/password-links.ts'
import { addMember, addPerson } from '../test-support/portal.ts'
import { buildRoomClient } from '../test-support/room-pages.ts'
import { testPassword } from '../test-support/server.ts'
import type { Album, Shoot } from './album.ts'
import { type Studio, snapAll, withStudio } from './studio.ts'

const invite = async (album: Album, { server, orgId, sit }: Studio): Promise<void> => {
  const { page } = await sit({ camera: false })
  const message = 'Hello Asha, we are glad to have you on the team.'
  const { id, token } = await pendingInvite(server, { role: 'interviewer', message }, orgId)
  await page.goto(`${server.url}/invite/#${id}.${token}`)
  await titleOn(page, 'Harbour & Sons invites you')
  await snapAll(album, page, '01-invite')
  await page.goto('about:blank')
  await page.goto(`${server.url}/invite/#${id}.${token.slice(0, -1)}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await snapAll(album, page, '02-invite-wrong')
}

const access = async (album: Album, { server, sit }: Studio): Promise<void> => {
  const { page } = await sit({ camera: false })
  await page.goto(`${server.url}/access/`)
  await titleOn(page, 'Ask for access for your organisation')
  await snapAll(album, page, '03-access')
  await pressOn(page, 'Send the request')
  await page.getByText('Please enter the name of the organisation.').waitFor()
  await snapAll(album, page, '04-access-missing')
  const { id, token } = await approvedRequest(server, { email: 'asha@bright.example' })
  await page.goto('about:blank')
  await page.goto(`${server.url}/access/#${id}.${token}`)
  await page.getByRole('button', { name: 'Open the organisation' }).waitFor()
  await snapAll(album, page, '05-access-open')
}

const account = async (album: Album, { server, orgId, sit }: Studio): Promise<void> => {
  const { page } = await sit({ camera: false })
  const { email } = await addMember(server, 'owner', orgId)
  await page.goto(`${server.url}/account/`)
  await titleOn(page, 'Sign in to your account')
  await snapAll(album, page, '06-sign-in')
  await page.getByLabel('Your e-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.keyboard.press('Enter')
  await titleOn(page, 'Your account')
  await snapAll(album, page, '07-account')
  await pressOn(page, 'Add an authenticator app')
  await titleOn(page, 'Confirm your password')
  await snapAll(album, page, '08-is-it-you')
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.keyboard.press('Enter')
  await titleOn(page, 'Add an authenticator app')
  await snapAll(album, page, '09-authenticator')
}

const password = async (album: Album, { server, sit }: Studio): Promise<void> => {
  const { email } = await addPerson(server)
  const { page } = await sit({ camera: false })
  await page.goto(`${server.url}/password/`)
  await titleOn(page, 'Get a new password')
  await snapAll(album, page, '10-password')
  await page.getByLabel('Your e-mail address').fill(email)
  await page.keyboard.press('Enter')
  await titleOn(page, 'Check your e-mail')
  const [token = ''] = await mailedTokens(server, email)
  await page.goto('about:blank')
  await page.goto(`${server.url}/password/#pwl_1.${token}`)
  await titleOn(page, 'Set your password')
  await snapAll(album, page, '11-password-set')
}

/** The pages of those who work for an organisation, or want one. */
export const memberScreens: Shoot = {
  name: 'member',
  run: async (album) => {
    buildRoomClient()
    await withStudio({ scene: 'room', width: 800, height: 720, atItsAddress: true }, async (studio) => {
      for (const part of [invite, access, account, password]) await part(album, studio)
    })
  },
}
