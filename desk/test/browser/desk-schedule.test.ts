import { expect, it } from 'vitest'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { readOutbox } from '../../../server/test/test-support/mail.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { describeDesk } from './desk-use.test-support.ts'
import { signInOn, storedIn } from './desk-web.test-support.ts'

const address = 'new.candidate@example.org'

describeDesk('scheduling in a browser', {}, ({ team, open: openDesk }) => {
  const open = async (role: 'interviewer' | 'reviewer') => {
    const { email } = await addMember(team.server, role)
    const page = await openDesk('interviews', { email })
    await titleOn(page, 'Interviews')
    return { page, email }
  }

  const savedPolicy = async (name: string, config: object) =>
    (await portal(team, 'portal.policies.create', {}, { name, config })).id

  it("makes an interview by the candidate's clocks, and writes to them", async () => {
    const params = { policyId: await savedPolicy('Without sound', { audio: { enabled: false }, retentionDays: 12 }) }
    const { page } = await open('interviewer')
    await page.getByRole('link', { name: 'Schedule an interview' }).click()
    await onPage(page, 'Schedule an interview')
    await pressOn(page, 'Schedule')
    await page.getByText('Please give a name, so that reviewers can tell interviews apart.').waitFor()
    await page.getByLabel('Name of the candidate').fill('Asha R.')
    await page.getByLabel('Time zone of the candidate').selectOption('Asia/Kolkata')
    await page.getByLabel('Day').fill('2020-01-20')
    await page.getByLabel('Time', { exact: true }).fill('23:00')
    await page
      .getByText('This time has passed already. It is early in the morning or late in the evening there.')
      .waitFor()
    await page.getByLabel('Day').fill('2099-01-20')
    await page.getByLabel('Time', { exact: true }).fill('14:30')
    await page.getByText('This time has passed already.').waitFor({ state: 'detached' })
    const letter = page.locator('.letter')
    await letter.getByText('Hello Asha R.,').waitFor()
    await letter.getByText(/14:30|2:30/).waitFor()
    await page.getByLabel('Language of the candidate').selectOption('hi')
    await letter.getByText('Asha R.').and(page.locator('[lang="hi"]')).waitFor()
    const query = { locale: 'hi' }
    await page.getByLabel('Policy of the interview').selectOption('Without sound')
    await page.getByText('Recordings are kept for 12 days after the interview.').waitFor()
    const { lanes } = await portal(team, 'portal.policies.consentPreview', params, undefined, query)
    for (const { text } of lanes) await page.getByText(text, { exact: true }).waitFor()
    await page.getByLabel('E-mail address for the invitation').fill(address)
    await onPage(page, 'Schedule an interview')
    await pressOn(page, 'Schedule')
    await titleOn(page, 'Interview')
    await page.getByText('Asha R.').waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    const { schedule } = (await team.api.call('sessions.get', { params: { id } })).data
    expect(schedule).toEqual({ startsAt: '2099-01-20T09:00:00.000Z', durationMinutes: 60, timeZone: 'Asia/Kolkata' })
    await team.server.processAll()
    const letters = (await readOutbox(team.server)).filter(({ text }) => text.includes(id))
    expect(letters[0]?.text).toContain('नमस्ते')
    const { config } = (await team.api.call('sessions.get', { params: { id } })).data
    expect(config).toMatchObject({ retentionDays: 12, audio: { enabled: false } })
    expect(letters.map(({ to }) => JSON.stringify(to))).toEqual([expect.stringContaining(address)])
  })

  it('keeps what is written through a sign-in that has ended, and puts nothing of the candidate into a storage', async () => {
    const { page, email } = await open('interviewer')
    await page.getByRole('link', { name: 'Schedule an interview' }).click()
    await page.getByLabel('Name of the candidate').fill('Asha R.')
    await page.getByLabel('Day').fill('2099-01-20')
    await page.getByLabel('Time', { exact: true }).fill('14:30')
    expect(await storedIn(page)).not.toContain('Asha')
    await page.context().clearCookies()
    await pressOn(page, 'Schedule')
    await signInOn(page, email)
    await titleOn(page, 'Schedule an interview')
    expect(await page.getByLabel('Name of the candidate').inputValue()).toBe('Asha R.')
    await pressOn(page, 'Schedule')
    await titleOn(page, 'Interview')
  })

  it("records the candidate's side alone where that is asked for, whatever the policy says, and shows that consent", async () => {
    const both = { audio: { systemAudio: true }, retentionDays: 13 }
    await savedPolicy('With sound', both)
    const { page } = await open('interviewer')
    await page.getByRole('link', { name: 'Schedule an interview' }).click()
    await page.getByLabel('Name of the candidate').fill('Asha R.')
    await page.getByLabel('Day').fill('2099-01-20')
    await page.getByLabel('Time', { exact: true }).fill('14:30')
    await page.getByLabel('Policy of the interview').selectOption('With sound')
    await page.getByText('Recordings are kept for 13 days after the interview.').waitFor()
    await page.getByText("Your computer's sound", { exact: false }).first().waitFor()
    await page.getByLabel('Whose voice and words').selectOption('candidate')
    await page.getByText("Your computer's sound", { exact: false }).first().waitFor({ state: 'detached' })
    await page.getByText('Recordings are kept for 13 days after the interview.').waitFor()
    await pressOn(page, 'Schedule')
    await titleOn(page, 'Interview')
    const id = page.url().split('/').at(-1) ?? ''
    const { config } = (await team.api.call('sessions.get', { params: { id } })).data
    expect(config).toMatchObject({ retentionDays: 13, audio: { systemAudio: true, candidateOnly: true } })
  })

  it('is offered to nobody who may not', async () => {
    const { page } = await open('reviewer')
    await page.getByLabel('State').waitFor()
    expect(await page.getByRole('link', { name: 'Schedule an interview' }).count()).toBe(0)
  })
})
