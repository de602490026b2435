import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  appointment,
  begin,
  candidateAddress,
  interviewed,
  invite,
  mailedLink,
  onPage,
  portal,
} from '../../../server/test/test-support/link-pages.ts'
import { readOutbox } from '../../../server/test/test-support/mail.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'
import { pathOf, storedIn, tabTo } from './desk-web.test-support.ts'

describeDesk('an interview in a browser', narrow, ({ team, url, visit, open: openDesk }) => {
  /** A second try finds nothing of the first. */
  let orders = 0
  const open = async (sessionId: string, role: 'interviewer' | 'reviewer' = 'interviewer'): Promise<Page> => {
    const page = await openDesk(`interviews/${sessionId}`, role)
    await titleOn(page, 'Interview')
    return page
  }
  const create = async (body: object = {}) =>
    (await team.api.call('sessions.create', { body: { candidateLabel: 'A. Candidate', ...body } })).data
  const plan = (id: string) => portal(team, 'portal.scheduling.get', { id })

  it('shows how an invitation stands, sends it again and ends it', async () => {
    const { sessionId, token: first } = await invite(team)
    await team.server.client(first).call('invitations.inspect', { body: {} })
    const page = await open(sessionId)
    const standing = page.getByText(/^open · the mail server took the mail on/)
    await standing.waitFor()
    await page.getByText(candidateAddress).waitFor()
    expect(await standing.innerText()).toMatch(/ opened on .* valid until .* invited by /)
    await onPage(page, 'Interview')
    await pressOn(page, 'Send it again')
    await page.getByText(/the mail waits to be sent/).waitFor()
    const { token } = await mailedLink(team.server, sessionId, 'invitation')
    await pressOn(page, 'End the invitation')
    await page.getByText('Its link stops working. The candidate is not written to.').waitFor()
    await pressOn(page, 'Yes, end it')
    await page.getByText(/^ended on /).waitFor()
    const opened = team.server.client(token).call('invitations.inspect', { body: {} })
    await expect(opened).rejects.toMatchObject({ status: 401 })
  })

  it("moves the appointment by the candidate's clocks, and cancels it, by keyboard alone", async () => {
    const { sessionId } = await invite(team)
    const page = await open(sessionId)
    await tabTo(page, 'Move the appointment')
    expect(await page.getByLabel('Day').inputValue()).toBe('2099-01-20')
    expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('10:00')
    expect(await page.getByLabel('Time zone of the candidate').inputValue()).toBe('Europe/Berlin')
    await page.getByLabel('Time', { exact: true }).fill('23:30')
    await page.getByText('It is early in the morning or late in the evening there.').waitFor()
    await onPage(page, 'Interview')
    await page.getByLabel('Time', { exact: true }).fill('14:30')
    await tabTo(page, 'Save the appointment')
    await page.getByText('The appointment was saved.').waitFor()
    expect((await plan(sessionId)).appointment?.startsAt).toBe('2099-01-20T13:30:00.000Z')
    await tabTo(page, 'Cancel the appointment')
    await tabTo(page, 'Yes, cancel it')
    await page.getByText(/^The appointment was cancelled on/).waitFor()
    expect((await plan(sessionId)).appointment).toBeNull()
    await page.getByRole('button', { name: 'Set an appointment' }).waitFor()
  })

  it('invites by mail in the language of the candidate, and says what is wrong at the field', async () => {
    const { id } = await create()
    const page = await open(id)
    await pressOn(page, 'Invite by mail')
    await page.getByLabel('E-mail address of the candidate').fill('nobody')
    await pressOn(page, 'Send the invitation')
    await page.getByText('This is no e-mail address.').waitFor()
    await page.getByLabel('E-mail address of the candidate').fill('other.candidate@example.org')
    await page.getByLabel('Language of the mail').selectOption('hi')
    await page.getByLabel(/Your own words in the mail/).fill('Please bring a cup of tea.')
    expect(await storedIn(page)).not.toContain('other.candidate')
    await pressOn(page, 'Send the invitation')
    await page.getByText('other.candidate@example.org').waitFor()
    expect((await plan(id)).invitations).toMatchObject([{ locale: 'hi', email: 'other.candidate@example.org' }])
    expect(await page.getByRole('button', { name: 'Invite by mail' }).count()).toBe(0)
  })

  it('tells an interviewer by mail, and shows when and by what they were told', async () => {
    const { id } = await create({ schedule: appointment })
    const page = await open(id)
    await page.getByText('Nobody who speaks with the candidate has been told by the service yet.').waitFor()
    await pressOn(page, 'Tell an interviewer')
    await page.getByLabel('E-mail address of the interviewer').fill('nobody')
    await pressOn(page, 'Send the message')
    await page.getByText('This is no e-mail address.').waitFor()
    await page.getByLabel('E-mail address of the interviewer').fill('meera@example.org')
    await page.getByLabel(/Name of the interviewer/).fill('Meera Nair')
    await pressOn(page, 'Send the message')
    await page.getByText('meera@example.org').waitFor()
    await team.server.processAll()
    await page.reload()
    await page.getByText(/^told by mail on .* · told by calendar on /).waitFor()
    const { text } = (await readOutbox(team.server)).find(({ to }) => to.includes('meera@example.org'))!
    const link = /http\S+\/interviewer\/#\S+/.exec(text)?.[0] ?? ''
    const { page: theirs } = await visit()
    await theirs.goto(link)
    await titleOn(theirs, 'Your data in this interview')
    await theirs.getByText("It is recorded with the sound of the candidate's computer.").waitFor()
    expect(theirs.url()).not.toContain('itk_')
    await onPage(theirs, 'Your data in this interview')
    await theirs.getByRole('button', { name: 'हिन्दी' }).click()
    const title = theirs.getByRole('heading', { level: 1, name: /\p{Script=Devanagari}/u })
    await onPage(theirs, await title.innerText())
    await page.reload()
    await page.getByText(/ · read the page on /).waitFor()
    await pressOn(page, 'Correct Meera Nair')
    await page.getByLabel(/Name of the interviewer/).fill('Meera N. Nair')
    await pressOn(page, 'Save the correction')
    await page.getByRole('button', { name: 'Correct Meera N. Nair' }).waitFor()
    await onPage(page, 'Interview')
    await pressOn(page, 'Take off Meera N. Nair')
    await page.getByRole('dialog').getByRole('button', { name: 'Take off' }).click()
    await page.getByText('Nobody who speaks with the candidate has been told by the service yet.').waitFor()
    await team.server.processAll()
    const mails = (await readOutbox(team.server)).filter(({ to }) => to.includes('meera@example.org'))
    const last = /http\S+\/interviewer\/#\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
    const { page: after } = await visit()
    await after.goto(last)
    await after.getByText(/^You were taken off this interview on /).waitFor()
    await onPage(after, 'Your data in this interview')
  })

  it('makes a join code as text and QR, with which the application joins', async () => {
    const { id } = await create()
    const page = await open(id)
    await pressOn(page, 'Make a join code')
    await page.getByText(/^It works once, until/).waitFor()
    const joinCode = await page.locator('.lead code').innerText()
    await page.getByRole('img', { name: `QR code that opens the join page with the code ${joinCode}` }).waitFor()
    await onPage(page, 'Interview')
    expect(await storedIn(page)).not.toContain(joinCode)
    const joined = (await team.server.client().call('agent.sessions.join', { body: { joinCode } })).data
    expect(joined.session.id).toBe(id)
    await page.reload()
    await titleOn(page, 'Interview')
    await page.getByRole('button', { name: 'Make a join code' }).waitFor()
    expect(await page.content()).not.toContain(joinCode)
  })

  it('links the meeting, says where the service refuses its address, and removes it', async () => {
    const { id } = await create()
    const page = await open(id)
    const address = page.getByLabel('Address of the meeting')
    await address.fill('https://meet.example.org/abc')
    await pressOn(page, 'Save the meeting')
    await page.getByText('This has to be an https address of the provider that is chosen above.').waitFor()
    expect(await address.inputValue()).toBe('https://meet.example.org/abc')
    await page.getByLabel('Who holds the meeting').selectOption('other')
    await pressOn(page, 'Save the meeting')
    await page.getByRole('link', { name: 'meet.example.org' }).waitFor()
    await pressOn(page, 'Remove the meeting')
    await pressOn(page, 'Yes, remove it')
    await page.getByText('No meeting is linked.').waitFor()
  })

  it('shows the consent page as the candidate reads it, in their language', async () => {
    const { id } = await create({ config: { retentionDays: 30 } })
    const page = await open(id)
    await pressOn(page, 'Show the consent page')
    const kept = page.getByText('Recordings are kept for 30 days after the interview.')
    // Once of what is recorded, once on the consent page.
    await kept.nth(1).waitFor()
    await page.getByLabel('Language of the consent page').selectOption('hi')
    const params = { orgId: team.orgId, id }
    const { lanes } = await portal(team, 'portal.sessions.consentPreview', params, undefined, { locale: 'hi' })
    for (const { text } of lanes) await page.getByText(text, { exact: true }).waitFor()
    await onPage(page, 'Interview')
  })

  it('finds an interview by words that are in no address, and those that the reader has scheduled', async () => {
    orders += 1
    const reference = `REQ-order-${orders}`
    const { id } = await create({ externalId: reference, candidateLabel: 'Found One' })
    const page = await open(id)
    await page.goto(`${url()}/desk/interviews`)
    await page.getByLabel(/Search for an interview/).fill(reference.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByText('1 of 1 shown').waitFor()
    await page.getByRole('link', { name: 'Found One' }).waitFor()
    expect(pathOf(page)).not.toMatch(/order/i)
    await onPage(page, 'Interviews')
    await page.getByLabel('Scheduled by').selectOption('me')
    const none = `No interview has words that begin with “${reference.toLowerCase()}” and fits the other choices.`
    await page.getByText(none).waitFor()
    expect(pathOf(page)).toContain('by=me')
    await pressOn(page, 'Clear the search')
    await page.getByText('No interview fits this choice.').waitFor()
    expect(await page.getByLabel(/Search for an interview/).inputValue()).toBe('')
  })

  it('shows the oldest first where the reader chose it, as the address says', async () => {
    orders += 1
    const reference = `REQ-order-${orders}`
    const first = await create({ externalId: reference, candidateLabel: 'Came First' })
    team.server.clock.advance(60_000)
    await create({ externalId: reference, candidateLabel: 'Came Second' })
    const page = await open(first.id)
    await page.goto(`${url()}/desk/interviews`)
    const search = async () => {
      await page.getByLabel(/Search for an interview/).fill(reference)
      await page.keyboard.press('Enter')
      await page.getByText('2 of 2 shown').waitFor()
    }
    const names = page.getByRole('link', { name: /^Came / })
    await search()
    await expect.poll(() => names.allTextContents()).toEqual(['Came Second', 'Came First'])
    await page.getByLabel('Order').selectOption('oldest')
    await names.first().and(page.getByText('Came First')).waitFor()
    await expect.poll(() => names.allTextContents()).toEqual(['Came First', 'Came Second'])
    expect(pathOf(page)).toContain('sort=oldest')
    await page.reload()
    await search()
    expect(await page.getByLabel('Order').inputValue()).toBe('oldest')
    await expect.poll(() => names.allTextContents()).toEqual(['Came First', 'Came Second'])
  })

  it('says plainly that an interview is of the sandbox, held, or erased', async () => {
    const { sessionId } = await interviewed(team)
    await portal(team, 'portal.retention.sessions.hold', { sessionId }, { on: true, reason: 'A court asked.' })
    const page = await open(sessionId)
    await page.getByText('This interview is kept by legal hold').waitFor()
    await portal(team, 'portal.retention.sessions.hold', { sessionId }, { on: false })
    await team.api.call('sessions.erase', { params: { id: sessionId } })
    await page.reload()
    await page.getByText('What was captured of this interview was erased.').waitFor()
    await onPage(page, 'Interview')
    const sandbox = team.server.client(team.server.orgs[0].sandboxKey)
    const { id } = (await sandbox.call('sessions.create', { body: {} })).data
    await page.goto(`${url()}/desk/interviews/${id}`)
    await page.getByText('No real candidate takes part.').waitFor()
  })

  it('offers whoever may not manage interviews none of it', async () => {
    const invited = await invite(team)
    await begin(team, invited)
    const page = await open(invited.sessionId, 'reviewer')
    await page.getByText(candidateAddress).waitFor()
    await page.getByRole('link', { name: 'Watch live' }).waitFor()
    for (const name of ['Send it again', 'Make a join code', 'Save the meeting', 'Move the appointment'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
  })
})
