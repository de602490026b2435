import {
  candidateAddress,
  interviewed,
  invite,
  keepApplicationLinks,
  mailedLink,
  offerBuilds,
  playedInterview,
  portal,
  requestsLink,
  soon,
  type Team,
} from '../test-support/link-pages.ts'
import { readOutbox } from '../test-support/mail.ts'
import { pressOn, titleOn } from '../test-support/pages.ts'
import { buildRoomClient } from '../test-support/room-pages.ts'
import type { Album, Shoot } from './album.ts'
import { withFixedTexts } from './fixed-text.ts'
import { type Studio, snapAll, snapHindi, snapNarrow, snapOnce, withStudio } from './studio.ts'

/** The day before it, so that the pictures say the same whenever they are taken. */
const schedule = { startsAt: '2099-01-20T09:00:00.000Z', durationMinutes: 60, timeZone: 'Asia/Kolkata' }

const invitation = async (album: Album, { server, sit, ...studio }: Studio): Promise<void> => {
  const team: Team = { server, ...studio }
  await offerBuilds(team, ['darwin', 'win32', 'linux'])
  const invited = await invite(team, {}, { schedule })
  const { page } = await sit({ camera: false })
  await keepApplicationLinks(page)
  await page.goto(invited.link)
  await titleOn(page, 'You are invited to an interview')
  await page.getByText('Read what will be asked for').click()
  await snapAll(album, page, '01-invitation')
  await page.getByText('Read what will be asked for').click()
  const opened = await invite(team, {}, { schedule: soon(team) })
  await page.goto('about:blank')
  await page.goto(opened.link)
  await pressOn(page, 'Open the application')
  await page.locator('.code').waitFor()
  await snapAll(album, page, '02-code')
  await page.locator('summary', { hasText: 'If you do not want' }).click()
  await pressOn(page, 'Decline the invitation')
  await album.keep('03-decline-question-en-light', await withFixedTexts(page, () => page.screenshot()))
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await titleOn(page, 'You have declined')
  await snapAll(album, page, '04-declined')
}

const otherStates = async (album: Album, { server, sit, ...studio }: Studio): Promise<void> => {
  const team: Team = { server, ...studio }
  const [cancelled, moved, ended] = [await invite(team), await invite(team), await interviewed(team)]
  await portal(team, 'portal.scheduling.cancel', { id: cancelled.sessionId }, {})
  await portal(team, 'portal.scheduling.set', { id: moved.sessionId }, schedule)
  const { page } = await sit({ camera: false })
  for (const [link, title, name] of [
    [cancelled.link, 'This appointment was cancelled', '05-cancelled'],
    [moved.link, 'There is a newer message for you', '06-moved'],
    [ended.link, 'The interview has ended', '07-ended'],
  ] as const) {
    await page.goto('about:blank')
    await page.goto(link)
    await titleOn(page, title)
    await snapAll(album, page, name)
  }
}

const requests = async (album: Album, { server, sit, ...studio }: Studio): Promise<void> => {
  const team: Team = { server, ...studio }
  const invited = await playedInterview(team)
  const { page } = await sit({ camera: false })
  await page.goto(`${server.url}/requests/#${invited.sessionId}`)
  await titleOn(page, 'See your interview data')
  await snapAll(album, page, '08-ask-for-link')
  await page.getByLabel('Your e-mail address').fill(candidateAddress)
  await pressOn(page, 'Send me a link')
  await page.getByText('If this address was invited').waitFor()
  await snapAll(album, page, '09-link-asked')
  await page.goto('about:blank')
  await page.goto((await requestsLink(team, invited)).link)
  await titleOn(page, 'Your interview data')
  for (const title of ['Add a comment for the reviewers', 'Get a copy of your data', 'Ask for your data to be deleted'])
    await page.locator('summary', { hasText: title }).click()
  await snapAll(album, page, '10-requests')
  await page.getByLabel('Your comment').fill('My neighbour mowed his lawn at eleven.')
  await pressOn(page, 'Send this comment')
  await pressOn(page, 'Ask for a copy')
  await page.getByText('Your request was sent.').nth(1).waitFor()
  const { items } = await portal(team, 'portal.candidateRequests.list', {}, undefined, { environment: 'sandbox' })
  await portal(team, 'portal.report.export', { id: invited.sessionId }, undefined, { format: 'pdf', revision: 0 })
  for (const { id, kind } of items.filter(({ session }) => session.id === invited.sessionId)) {
    if (kind === 'access') await portal(team, 'portal.candidateRequests.approve', { requestId: id }, {})
    else
      await portal(team, 'portal.candidateRequests.respond', { requestId: id }, { text: 'Thank you, we have read it.' })
  }
  await page.goto('about:blank')
  await page.goto((await mailedLink(server, invited.sessionId, 'requests')).link)
  await page.getByRole('button', { name: 'Download the copy' }).waitFor()
  await snapAll(album, page, '11-answers')
  await pressOn(page, 'Look at it here')
  await page.getByRole('heading', { name: 'Who opened it, and when' }).waitFor()
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
  // Dark, it is the page before it with more pictures in it.
  for (const snapped of [snapOnce, snapHindi, snapNarrow]) await snapped(album, page, '12-contents')
  await pressOn(page, 'Play your recording here')
  await page.getByRole('group', { name: 'Your recording' }).locator('img.shown, video.shown').first().waitFor()
  await snapAll(album, page, '13-player')
}

const interviewers = async (album: Album, { server, sit, ...studio }: Studio): Promise<void> => {
  const team: Team = { server, ...studio }
  const { sessionId } = await invite(team)
  const email = 'meera.nair@example.org'
  await portal(team, 'portal.interviewers.add', { id: sessionId }, { name: 'Meera Nair', email })
  await server.processAll()
  const mail = (await readOutbox(server)).find(({ to }) => to === email)
  const [, token] = /\/interviewer\/#(\S+)/.exec(mail?.text ?? '') ?? []
  const { page } = await sit({ camera: false })
  await page.goto(`${server.url}/interviewer/#${token}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await snapAll(album, page, '14-interviewer')
}

/** The pages behind the links in e-mails. */
export const linkScreens: Shoot = {
  name: 'link',
  run: async (album) => {
    buildRoomClient()
    await withStudio({ scene: 'room', width: 800, height: 720 }, async (studio) => {
      for (const part of [invitation, otherStates, requests, interviewers]) await part(album, studio)
    })
  },
}
