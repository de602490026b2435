import { expect, it } from 'vitest'
import { agreeOnDevice, claimPhone } from '../../../server/test/test-support/devices.ts'
import { begin, invite, onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { newPicture } from '../../../server/test/test-support/world.ts'
import { describeDesk, narrow, theirsAt } from './desk-use.test-support.ts'
import { tabTo } from './desk-web.test-support.ts'

describeDesk('what is recorded of one interview in a browser', narrow, ({ team, open: openDesk }) => {
  const open = (path: string, role: 'interviewer' | 'reviewer' = 'interviewer') => openDesk(path, role)
  const create = async (config: object = {}) =>
    (await team.api.call('sessions.create', { body: { candidateLabel: 'A. Candidate', config } })).data.id
  const configOf = async (id: string) => (await team.api.call('sessions.get', { params: { id } })).data.config

  it('is changed for it alone, by keyboard alone, and what the service refuses is said at its field', async () => {
    const id = await create({ retentionDays: 30 })
    const page = await open(`interviews/${id}`)
    await page.getByText('Recordings are kept for 30 days after the interview.').waitFor()
    await tabTo(page, 'Change what is recorded')
    await page.getByLabel('Camera', { exact: true }).focus()
    await page.keyboard.press('Space')
    await page.getByText('1 setting changed here.').waitFor()
    await page.getByLabel('Days that recordings are kept').fill('5000')
    await onPage(page, 'Interview')
    await tabTo(page, 'Save for this interview')
    const days = page.getByLabel('Days that recordings are kept').and(page.locator('[aria-invalid="true"]'))
    await days.waitFor()
    expect((await configOf(id)).camera.enabled).toBe(true)
    await page.getByLabel('Days that recordings are kept').fill('20')
    await tabTo(page, 'Save for this interview')
    await page.getByText('Saved for this interview.').waitFor()
    await page.getByText('Recordings are kept for 20 days after the interview.').waitFor()
    expect(await configOf(id)).toMatchObject({
      retentionDays: 20,
      camera: { enabled: false },
      audio: { enabled: true },
    })
  })

  it('tells the second of two people, keeps what they changed, and loses nothing of the first', async () => {
    const id = await create()
    const page = await open(`interviews/${id}`)
    await pressOn(page, 'Change what is recorded')
    await page.getByLabel('Titles of windows').check()
    await portal(team, 'portal.sessions.patch', { id }, { pauseAllowed: true })
    await pressOn(page, 'Save for this interview')
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    expect(await theirsAt(page, 'Titles of windows').values()).toEqual(['on', 'off'])
    await expect.poll(() => page.getByLabel('The candidate may pause').isChecked()).toBe(true)
    expect((await configOf(id)).windowTitles).toBe(false)
    await pressOn(page, 'Save for this interview')
    await page.getByText('Saved for this interview.').waitFor()
    expect(await configOf(id)).toMatchObject({ windowTitles: true, pauseAllowed: true })
  })

  it('is read in Hindi by whoever may not change it', async () => {
    const id = await create()
    const page = await open(`interviews/${id}`, 'reviewer')
    await titleOn(page, 'Interview')
    await page.getByRole('heading', { name: 'What is recorded' }).waitFor()
    expect(await page.getByRole('button', { name: 'Change what is recorded' }).count()).toBe(0)
    await pressOn(page, 'हिन्दी')
    await page.getByRole('heading', { name: 'क्या रिकॉर्ड होता है' }).waitFor()
    await onPage(page, 'साक्षात्कार')
  })

  it('has the live picture of the phone for whoever asks for it, and says where there is none yet', async () => {
    const invited = await invite(team, {}, { config: { sideView: { enabled: true } } })
    await begin(team, invited)
    const { token } = await claimPhone(team.server, team.api, invited.sessionId)
    await agreeOnDevice(team.server, team.api, invited.sessionId, token, 'companion')
    const page = await open(`live?session=${invited.sessionId}`, 'reviewer')
    await tabTo(page, 'Show the picture of the phone')
    await page.getByText('The phone has not shown a picture in this interview yet.').waitFor()
    await onPage(page, 'Live view')
    await tabTo(page, 'Hide the picture of the phone')
    const capturedAt = new Date(team.server.app.clock.now()).toISOString()
    const data = (await newPicture()).toString('base64')
    const body = { capturedAt, contentType: 'image/webp' as const, data }
    await team.server.client(token).call('companion.preview.push', { params: { id: invited.sessionId }, body })
    await pressOn(page, 'Show the picture of the phone')
    const picture = page.getByRole('img', { name: 'The newest live picture of the phone' })
    await picture.waitFor()
    const width = 'document.querySelector(\'main section img[alt^="The newest live"]\').decode().then(() => true)'
    expect(await page.evaluate(width)).toBe(true)
  })
})
