import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  begin,
  candidateAddress,
  type Invited,
  invite,
  offerBuilds,
  onPage,
  portal,
  soon,
  startInviting,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { readOutbox } from '../../../server/test/test-support/mail.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, overflowOf } from '../../../server/test/test-support/room-pages.ts'
import type { TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { comeBack, invited, openBy, unfold } from './invitation-web.test-support.ts'

const chromium = findChromium('the invitation in a browser')

describe.skipIf(!chromium)('the invitation in a browser', { timeout: 120_000 }, () => {
  let server: TestServer
  let team: Team
  let browser: Browser
  beforeAll(async () => {
    team = await startInviting()
    server = team.server
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  const visit = useVisits({
    browser: () => browser,
    url: () => server.url,
    usually: { camera: false, locale: 'en-GB' },
  })
  const open = openBy(visit)
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 })
  const invitationOf = async ({ sessionId }: Invited) =>
    (await portal(team, 'portal.scheduling.get', { id: sessionId })).invitations[0]
  const mailsOf = async ({ sessionId }: Invited) => {
    await server.processAll()
    return (await readOutbox(server)).filter(({ text, to }) => text.includes(sessionId) && to !== candidateAddress)
  }
  const calls = (requests: readonly string[], name: string) => requests.filter((url) => url.endsWith(`/${name}`)).length

  it('takes its link out of the address bar and says who invites, when here and there, and what will be asked for', async () => {
    const one = await invite(team, { message: 'See you soon.' })
    const { page, seen, context } = await open(one.link)
    await onPage(page, invited)
    expect(page.url()).toBe(`${server.url}/invitation/`)
    expect(await page.evaluate('[document.referrer, history.length, sessionStorage.length]')).toEqual(['', 2, 1])
    const said = (await page.locator('main').innerText()).replaceAll(/[\u2009\u202f]/g, ' ')
    expect(said).toContain('Hello Asha,')
    expect(said).toMatch(/Meera Nair of Org \d+ invites you to an interview/)
    expect(said).toContain('Tuesday, 20 January 2099')
    expect(said).toContain('Planned length: 60 minutes')
    const titles = [
      'When',
      'Get the application',
      'Open the application',
      'What you use, or need',
      'What you will be asked for',
      'Your progress',
    ]
    const folded = ['Help: write to the team', 'Your data', 'If you do not want to take part']
    await expect
      .poll(() => page.locator('h2').allTextContents())
      .toEqual([...titles, ...folded, 'Decline this invitation?'])
    expect(await page.locator('details[open]').count()).toBe(0)
    await page.getByText('Read what will be asked for').click()
    const { data } = await server.client(one.token).call('invitations.inspect')
    for (const { title, text } of data.consentDocument.lanes) {
      await page.getByText(title, { exact: true }).waitFor()
      await page.getByText(text, { exact: true }).waitFor()
    }
    expect(await accessibilityFaults(page)).toEqual([])
    // Nothing is taken or agreed to by looking.
    expect(await invitationOf(one)).toMatchObject({ openedAt: expect.any(String), ticketAt: null, status: 'live' })
    expect(calls(seen.requests, 'ticket')).toBe(0)
    // A reload goes on with the link of the tab; another tab has none.
    await page.reload()
    await titleOn(page, invited)
    const other = await context.newPage()
    await other.goto(`${server.url}/invitation/`)
    await titleOn(other, 'This page opens with a link')
    expect(seen.errors).toEqual([])
  })

  it("says the time in the reader's own zone first, and the appointment's where it differs", async () => {
    const one = await invite(team)
    for (const [timezoneId, own, theirs] of [
      ['Asia/Kolkata', '14:30–15:30 (India Standard Time)', '10:00–11:00 (Central European Standard Time)'],
      ['Europe/Paris', '10:00–11:00 (Central European Standard Time)', undefined],
    ] as const) {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId })
      const page = await context.newPage()
      await page.goto(one.link)
      await titleOn(page, invited)
      const said = (await page.locator('section').first().innerText()).replaceAll(/[\u2009\u202f]/g, ' ')
      expect(said).toContain(own)
      if (theirs) expect(said).toContain(theirs)
      else expect(said).not.toContain('On the clocks of the organisation')
      await context.close()
    }
  })

  it('takes a code when it is asked to, opens the application with it, and follows what the service knows', async () => {
    const one = await invite(team, {}, { schedule: soon(team) })
    const { page, context, applicationLinks } = await open(one.link)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await titleOn(page, invited)
    await pressOn(page, 'Open the application')
    const code = (await page.locator('.code').textContent()) ?? ''
    expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    const [link = '', ...more] = await applicationLinks()
    expect([new URL(link).searchParams.get('code'), more]).toEqual([code, []])
    // One thing is expected next, and no word speaks of a button that is gone.
    await expect
      .poll(() => page.locator('section:has(.code) button.main').allTextContents())
      .toEqual(['Open it with this code'])
    expect(await page.getByText('this button gets a code').count()).toBe(0)
    await page.locator('li.done', { hasText: 'You got a code' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await pressOn(page, 'Copy the code')
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code)
    await pressOn(page, 'Open it with this code')
    expect(await applicationLinks()).toEqual([link, link])
    // The code is one of the candidate's; the page notices by its own asking that it was used.
    await server.client().call('agent.sessions.join', { body: { joinCode: code } })
    await page.getByText('The application has used a code.').waitFor({ timeout: 20_000 })
    expect(await page.locator('.code').count()).toBe(0)
    await begin(team, one)
    await comeBack(page)
    await page.locator('li.done', { hasText: 'The interview has begun' }).waitFor()
    await page.getByText('New: The interview has begun').waitFor({ state: 'attached' })
    await team.api.call('sessions.end', { params: { id: one.sessionId } })
    await comeBack(page)
    await onPage(page, 'The interview has ended')
    expect(await page.getByRole('button', { name: 'Decline the invitation' }).count()).toBe(0)
  })

  it('leads to the application by an address of its own kind', async () => {
    const one = await invite(team, {}, { schedule: soon(team) })
    const { page, seen } = await visit()
    await page.goto(one.link)
    await pressOn(page, 'Open the application')
    await page.locator('.code').waitFor()
    const isOfApplication = (url: string) => url.startsWith('integrity-agent://join?code=')
    await until(async () => expect(seen.requests.filter(isOfApplication)).toHaveLength(1))
    seen.requests.splice(seen.requests.findIndex(isOfApplication), 1)
  })

  it('says when there is no code to be had, and still lets one copy by hand', async () => {
    const one = await invite(team, {}, { schedule: soon(team) })
    const { page } = await open(one.link)
    await titleOn(page, invited)
    await pressOn(page, 'Open the application')
    await page.locator('.code').waitFor()
    await pressOn(page, 'Copy the code')
    await page.getByText('The code is selected.').waitFor()
    expect(await page.evaluate('getSelection().toString()')).toBe(await page.locator('.code').textContent())
    await portal(team, 'portal.scheduling.cancel', { id: one.sessionId }, {})
    await pressOn(page, 'Get another code')
    await onPage(page, 'This appointment was cancelled')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      pressOn(page, 'Get the calendar file that removes it'),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('METHOD:CANCEL')
  })

  it('gives the appointment as a file for the calendar', async () => {
    const one = await invite(team)
    const { page } = await open(one.link)
    const [download] = await Promise.all([page.waitForEvent('download'), pressOn(page, 'Add to my calendar')])
    expect(download.suggestedFilename()).toMatch(/^[\w-]+\.ics$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/)
    expect(text).toContain('DTSTART:20990120T090000Z')
    await page.getByText('The calendar file has been saved.').waitFor()
  })

  it('offers the builds for this computer first, and says plainly where there are none', async () => {
    const one = await invite(team)
    const { page } = await open(one.link)
    await page.getByText('There is no download here yet.').waitFor()
    await offerBuilds(team, ['win32', 'linux', 'darwin'])
    await page.reload()
    const links = page.locator('.builds a')
    await links.first().waitFor()
    await unfold(page, 'For other computers')
    expect((await links.allInnerTexts()).map((text) => text.split(' ')[0])).toEqual(['Linux', 'Windows', 'macOS'])
    expect(await links.first().getAttribute('href')).toMatch(/^https:\/\/downloads\.example\.org\//)
    expect(await accessibilityFaults(page)).toEqual([])
    await offerBuilds(team, ['win32'])
    await page.reload()
    await page.getByText('There is no version for the computer that you are using now.').waitFor()
  })

  it('keeps a message through a reload and a lost network, and sends it once though its answer was lost', async () => {
    const one = await invite(team)
    const { page, context } = await open(one.link)
    await titleOn(page, invited)
    await unfold(page, 'Help: write to the team')
    await page.getByText(`Session number, in case you are asked for it: ${one.sessionId}`).waitFor()
    await pressOn(page, 'Send the message')
    await page.getByText('Please write something first.').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('text')
    await page.getByLabel('What is it about?').selectOption({ label: 'Another time' })
    await page.getByLabel('Your message').fill('Could it be in the afternoon?')
    await page.getByLabel('Where to answer').fill('nobody')
    await pressOn(page, 'Send the message')
    await page.getByText('This does not look like an e-mail address.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('Where to answer').fill('asha@elsewhere.example')
    await context.setOffline(true)
    await pressOn(page, 'Send the message')
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    await context.setOffline(false)
    await page.reload()
    await titleOn(page, invited)
    expect(await page.getByLabel('Your message').inputValue()).toBe('Could it be in the afternoon?')
    expect(await page.getByLabel('What is it about?').inputValue()).toBe('new_time')
    // The service has it, but its answer gets lost on the way.
    await page.route('**/v1/invitations/contact', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await pressOn(page, 'Send the message')
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    await page.unroute('**/v1/invitations/contact')
    await pressOn(page, 'Send the message')
    await page.getByText('Your message was sent at').waitFor()
    expect(await page.getByLabel('Your message').inputValue()).toBe('')
    const mails = (await readOutbox(server)).filter(({ text }) => text.includes('Could it be in the afternoon?'))
    expect(mails).toMatchObject([{ replyTo: 'asha@elsewhere.example' }])
  })

  it('asks once before it declines, passes the reason on, and shows the end again with the same link', async () => {
    const one = await invite(team)
    const { page } = await open(one.link)
    await titleOn(page, invited)
    await unfold(page, 'If you do not want to take part')
    await pressOn(page, 'Decline the invitation')
    const dialog = page.getByRole('dialog')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H2')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.isVisible()).toBe(false)
    expect(await invitationOf(one)).toMatchObject({ status: 'live' })
    await pressOn(page, 'Decline the invitation')
    await dialog.getByLabel('If you like, say why').fill('I have taken another offer.')
    await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
    await onPage(page, 'You have declined')
    expect(await invitationOf(one)).toMatchObject({ status: 'declined' })
    const mails = (await mailsOf(one)).filter(({ text }) => text.includes('I have taken another offer.'))
    expect(mails).toHaveLength(1)
    await page.goto('about:blank')
    await page.goto(one.link)
    await onPage(page, 'You have declined')
    await pressOn(page, 'See your data, or ask for it')
    await titleOn(page, 'See your interview data')
    expect(await page.getByLabel('Session number').inputValue()).toBe(one.sessionId)
  })

  it('says that the service is not there, or in trouble, and goes on by itself', async () => {
    const one = await invite(team)
    const { page } = await visit()
    await page.route('**/v1/invitations/inspect', (route) => route.abort())
    await page.goto(one.link)
    await onPage(page, 'The service cannot be reached')
    await page.unroute('**/v1/invitations/inspect')
    const error = { success: false, error: { code: 'internal_error', message: 'x' }, requestId: 'req_1' }
    await page.route('**/v1/invitations/inspect', (route) => route.fulfill({ status: 500, json: error }))
    await pressOn(page, 'Try now')
    await onPage(page, 'The service cannot answer at the moment')
    await page.unroute('**/v1/invitations/inspect')
    await titleOn(page, invited)
  })

  it('can be used at 320 pixels, with the keyboard alone, in Hindi, with text of twice the size, and from right to left', async () => {
    await offerBuilds(team, ['linux', 'darwin'])
    const one = await invite(team, { locale: 'hi' }, { schedule: soon(team) })
    const { page, applicationLinks } = await open(one.link, { width: 320, height: 640, locale: 'hi-IN', camera: false })
    const enter = async (name: string) => {
      await until(async () => {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate(
          '[document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle]',
        )
        expect(focused).toEqual([name, 'solid'])
      })
      await page.keyboard.press('Enter')
    }
    await onPage(page, 'आपको एक साक्षात्कार के लिए निमंत्रण है')
    expect(await page.evaluate('[document.documentElement.lang, document.activeElement.tagName]')).toEqual(['hi', 'H1'])
    // The document of what will be asked for is in the language of the page.
    const { data } = await server.client(one.token).call('invitations.inspect', { body: { locale: 'hi' } })
    await enter('ऐप्लिकेशन खोलें')
    await page.locator('.code').waitFor()
    expect(await applicationLinks()).toHaveLength(1)
    await enter('पढ़ें कि क्या पूछा जाएगा')
    await page.getByText(data.consentDocument.lanes[0]?.text ?? '-', { exact: true }).waitFor()
    await enter('मदद: टीम को लिखें')
    await enter('आपका डेटा')
    await page.evaluate("document.documentElement.dir = 'rtl'")
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.evaluate("document.documentElement.dir = 'ltr'")
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await enter('अगर आप भाग नहीं लेना चाहते')
    await enter('निमंत्रण के लिए मना करें')
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await enter('मना करें')
    await titleOn(page, 'आपने मना कर दिया है')
    await enter('English')
    await titleOn(page, 'You have declined')
  })

  it('is in the brand of its organisation, with whom to ask about data', async () => {
    const one = await invite(team)
    const { page } = await visit({ camera: false })
    await page.route('**/v1/invitations/inspect', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { org: object } }
      const brand = {
        primaryColor: '#7fffd4',
        privacyContact: 'privacy@org.example',
        logoUrl: 'https://elsewhere.example/x.png',
      }
      Object.assign(body.data.org, { name: 'Harbour & Sons', brand })
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(one.link)
    await page.getByRole('banner').getByText('Harbour & Sons').waitFor()
    expect(await page.getByRole('link', { name: 'privacy@org.example' }).getAttribute('href')).toBe(
      'mailto:privacy@org.example',
    )
    expect(await page.getByRole('contentinfo').innerText()).toContain(`Session ${one.sessionId}`)
    expect(await page.evaluate("document.documentElement.style.getPropertyValue('--brand-dark-accent')")).toBe(
      '#7fffd4',
    )
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('says in words what it needs where no script runs', async () => {
    const { page } = await visit({ width: 320, height: 640, camera: false })
    // As a browser without scripts takes it: the debugger cannot switch them off early enough for `noscript`.
    await page.route('**/invitation/', async (route) => {
      const html = await (await route.fetch()).text()
      await route.fulfill({ body: html.replace(/<script.*?<\/script>|<\/?noscript>/g, ''), contentType: 'text/html' })
    })
    await page.goto(`${server.url}/invitation/`)
    await onPage(page, 'This page needs JavaScript')
    await page.getByText('इस पेज के लिए JavaScript ज़रूरी है').waitFor()
  })
})
