import { readFile } from 'node:fs/promises'
import { inviterLine } from '@integrity/protocol/clients/inviter'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  begin,
  candidateAddress,
  capture,
  type Invited,
  interviewed,
  invite,
  mailedLink,
  onPage,
  portal,
  requestsLink,
  startInviting,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { readOutbox } from '../../../server/test/test-support/mail.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, overflowOf } from '../../../server/test/test-support/room-pages.ts'
import type { TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { unzip } from '../../../server/test/test-support/zips.ts'

const chromium = findChromium('the requests in a browser')
const day = 86_400_000

describe.skipIf(!chromium)('the requests in a browser', { timeout: 120_000 }, () => {
  let server: TestServer
  let team: Team
  let browser: Browser
  /** How far the service's clock is ahead of the browser's. */
  let aheadMs = 0
  beforeAll(async () => {
    team = await startInviting(() => Date.now() + aheadMs)
    server = team.server
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  afterEach(() => {
    aheadMs = 0
  })
  const usually = { camera: false, locale: 'en-GB' }
  const visit = useVisits({ browser: () => browser, url: () => server.url, usually })
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

  const kept = 'Your interview data'
  const ask = 'See your interview data'
  const statement = 'Add a comment for the reviewers'
  const copy = 'Get a copy of your data'
  const erasure = 'Ask for your data to be deleted'
  const words = 'My neighbour mowed his lawn at eleven.'

  /** On the page with this title: nothing axe objects to, and nothing to scroll sideways. */
  const open = async (link: string, options = {}) => {
    const made = await visit({ ...usually, ...options })
    await made.page.goto(link)
    return made
  }
  const opened = async (one: Invited, options = {}) => {
    const made = await open((await requestsLink(team, one)).link, options)
    await titleOn(made.page, kept)
    return made
  }
  const unfold = (page: Page, title: string) => page.locator('summary', { hasText: title }).click()
  /** The requests of a session as the organisation sees them. */
  const requestsOf = async ({ sessionId }: Invited) =>
    (await portal(team, 'portal.candidateRequests.list', {}, undefined, { status: 'all', limit: 100 })).items.filter(
      ({ session }) => session.id === sessionId,
    )
  const decide = async (
    one: Invited,
    kind: string,
    verb: 'acknowledge' | 'approve' | 'decline' | 'respond',
    text?: string,
  ) => {
    const request = (await requestsOf(one)).find((candidate) => candidate.kind === kind)
    const body = text === undefined ? {} : { text }
    await portal(team, `portal.candidateRequests.${verb}`, { requestId: request?.id ?? '' }, body)
  }
  const askByMail = async (page: Page, address: string) => {
    await page.getByLabel('Your e-mail address').fill(address)
    await pressOn(page, 'Send me a link')
    await page.getByText('If this address was invited to this interview').waitFor()
    return page.locator('main').innerText()
  }

  it('begins without a link: it says the same whoever asks, and mails a link to the invited address alone', async () => {
    const one = await interviewed(team)
    const { page, seen } = await open(`${server.url}/requests/#${one.sessionId}`)
    await onPage(page, ask)
    expect(page.url()).toBe(`${server.url}/requests/`)
    const number = page.getByLabel('Session number')
    expect(await number.inputValue()).toBe(one.sessionId)
    await page.reload()
    expect(await number.inputValue()).toBe(one.sessionId)
    await pressOn(page, 'Send me a link')
    await page.getByText('Please enter an e-mail address.').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('email')
    const mails = async () => {
      await server.processAll()
      return (await readOutbox(server)).filter(({ text }) => text.includes(`${one.sessionId}.crq_`)).length
    }
    const stranger = await askByMail(page, 'somebody.else@example.org')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await mails()).toBe(0)
    await pressOn(page, 'Enter something else')
    expect(await askByMail(page, candidateAddress.toUpperCase())).toBe(stranger)
    expect(await mails()).toBe(1)
    await pressOn(page, 'Enter something else')
    expect(await page.evaluate('document.activeElement.name')).toBe('session')
    await number.fill('an interview')
    await pressOn(page, 'Send me a link')
    await page.getByText('Please enter the session number.').waitFor()
    await number.fill(`${server.url}/requests/#ses_nobody`)
    expect(await askByMail(page, candidateAddress)).toBe(stranger)
    await page.goto((await mailedLink(server, one.sessionId, 'requests')).link)
    await onPage(page, kept)
    expect(seen.errors).toEqual([])
  })

  it('shows what is kept, how much and until when, and takes its link out of the address bar', async () => {
    const one = await interviewed(team)
    const { page, seen } = await opened(one)
    await onPage(page, kept)
    expect(page.url()).toBe(`${server.url}/requests/`)
    const { token } = await requestsLink(team, one)
    const { data } = await server.client(token).call('candidateRequests.view')
    expect(data.collected).toHaveLength(1)
    const row = page.locator('.kept > div', { hasText: 'Pictures of displays' })
    expect(await row.locator('dd').innerText()).toBe(`2 items, ${data.collected[0]?.sizeBytes} bytes`)
    const said = await page.locator('main').innerText()
    const until = new Date(Date.parse(data.session.endedAt ?? '') + 90 * day)
    expect(said).toContain(until.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' }))
    for (const text of [one.sessionId, 'You have not asked for anything yet.']) expect(said).toContain(text)
    expect(said).not.toContain('A. Candidate')
    const whom = data.inviter === null ? 'whoever invited you' : inviterLine(data.inviter)
    expect(await page.getByRole('contentinfo').innerText()).toBe(
      `Questions? Please ask ${whom}. · Session ${one.sessionId}`,
    )
    for (const title of [statement, copy, erasure]) await unfold(page, title)
    await onPage(page, kept)
    expect(seen.errors).toEqual([])
  })

  it('keeps words through a reload and a lost network, sends them once though the answer was lost, and shows what became of them', async () => {
    const one = await interviewed(team)
    const { page, context } = await opened(one)
    await unfold(page, statement)
    await pressOn(page, 'Send this comment')
    await page.getByText('Please write something first.').waitFor()
    await page.getByLabel('Your comment').fill(words)
    await context.setOffline(true)
    await pressOn(page, 'Send this comment')
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await context.setOffline(false)
    await page.reload()
    // Its part of the page is open again, with the words in it.
    expect(await page.getByLabel('Your comment').inputValue()).toBe(words)
    await page.route('**/v1/candidate-requests/submit', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await pressOn(page, 'Send this comment')
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    await page.unroute('**/v1/candidate-requests/submit')
    await pressOn(page, 'Send this comment')
    await page.getByText('Your request was sent. You see it below.').waitFor()
    const sent = page.getByRole('article')
    await sent.getByText(words).waitFor()
    await sent.getByText('Nobody has marked it as seen yet.').waitFor()
    expect(await requestsOf(one)).toMatchObject([
      { kind: 'context_statement', status: 'received', origin: 'invitation' },
    ])
    expect(await page.getByLabel('Your comment').count()).toBe(0)
    await onPage(page, kept)
    await decide(one, 'context_statement', 'acknowledge')
    await decide(one, 'context_statement', 'respond', 'Thank you,\nwe have read it.')
    await page.goto('about:blank')
    await page.goto((await mailedLink(server, one.sessionId, 'requests')).link)
    await sent.getByText(/Somebody at Org \d+ saw it on .* It is not marked as read yet\./).waitFor()
    expect(await sent.getByText('we have read it.').innerText()).toBe('Thank you,\nwe have read it.')
  })

  it('gives the approved copy as a file, and says plainly when it can no longer be had', async () => {
    const one = await interviewed(team)
    const { page } = await opened(one)
    await unfold(page, copy)
    await pressOn(page, 'Ask for a copy')
    await page.getByText('Your request was sent. You see it below.').waitFor()
    await decide(one, 'access', 'approve')
    await page.goto('about:blank')
    await page.goto((await mailedLink(server, one.sessionId, 'requests')).link)
    await onPage(page, kept)
    const [download] = await Promise.all([page.waitForEvent('download'), pressOn(page, 'Download the copy')])
    expect(download.suggestedFilename()).toBe(`access-copy-${one.sessionId}.zip`)
    const members = unzip(await readFile(await download.path()))
    expect([...members.keys()].slice(-2)).toEqual(['copy.json', 'index.html'])
    expect(members.get('index.html')?.toString()).toContain(one.sessionId)
    await page.getByText('The copy has been saved as a file.').waitFor()
    const [proofs] = await Promise.all([page.waitForEvent('download'), pressOn(page, 'Download the file with proofs')])
    const parts = unzip(await readFile(await proofs.path()))
    expect(proofs.suggestedFilename()).toContain(one.sessionId)
    expect([...parts.keys()].slice(0, 2)).toEqual(['manifest.jsonl', 'seal.txt'])
    expect(parts.get('manifest.jsonl')?.toString()).toContain('"audience":"candidate"')
    const [checking] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: `${server.url}/verify/` }).click(),
    ])
    await checking.getByRole('heading', { name: 'Check a session bundle' }).waitFor()
    await checking.close()
    // Thirty days later, with another link; the computer's clock has stopped at the day of the approval.
    aheadMs = 31 * day
    const { link } = await lateLink(one)
    await page.goto('about:blank')
    await page.goto(link)
    await pressOn(page, 'Download the copy')
    await page.getByText('This copy cannot be downloaded any more.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    // What the service says of its own clock is believed, the newest of its answers last: each of them says the same.
    await page.route('**/v1/candidate-requests/*', async (route) => {
      const response = await route.fetch()
      const date = new Date(Date.now() + aheadMs).toUTCString()
      await route.fulfill({ response, headers: { ...response.headers(), date } })
    })
    await page.reload()
    await page.getByText('The time in which the copy could be downloaded is over.').waitFor()
    expect(await page.getByRole('button', { name: 'Download the copy' }).count()).toBe(0)
  })
  /** As the candidate gets one by e-mail, at whatever time it is. */
  const lateLink = async (one: Invited) => {
    await server.client().call('candidateRequests.links.mail', {
      body: { sessionId: one.sessionId, email: candidateAddress },
    })
    return mailedLink(server, one.sessionId, 'requests')
  }

  it('says who declined and why, and lets the same be asked for again', async () => {
    const one = await interviewed(team)
    const { page } = await opened(one)
    await unfold(page, erasure)
    await page
      .locator('details', { hasText: erasure })
      .getByLabel('If you like, say more')
      .fill('I am no longer a candidate.')
    await pressOn(page, 'Ask for deletion')
    await page.getByText('Your request was sent. You see it below.').waitFor()
    await decide(one, 'erasure', 'decline', 'We have to keep it until the end of the procedure.')
    await page.goto('about:blank')
    await page.goto((await mailedLink(server, one.sessionId, 'requests')).link)
    const article = page.getByRole('article')
    await article.getByText(/Org \d+ declined it on/).waitFor()
    await article.getByText('We have to keep it until the end of the procedure.').waitFor()
    await article.getByText('I am no longer a candidate.').waitFor()
    await unfold(page, erasure)
    await expect.poll(() => page.getByRole('button', { name: 'Ask for deletion' }).isVisible()).toBe(true)
    await onPage(page, kept)
  })

  it('shows that everything was deleted, and a legal hold while one stands', async () => {
    const one = await interviewed(team)
    const { page } = await opened(one)
    await server.app.db.transact((tx) =>
      tx.run('UPDATE sessions SET legal_hold = 1 WHERE session_id = ?', [one.sessionId]),
    )
    await page.reload()
    await page.getByText('is under a legal hold').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await unfold(page, erasure)
    await pressOn(page, 'Ask for deletion')
    await page.getByText('Your request was sent. You see it below.').waitFor()
    await server.app.db.transact((tx) =>
      tx.run('UPDATE sessions SET legal_hold = 0 WHERE session_id = ?', [one.sessionId]),
    )
    await decide(one, 'erasure', 'approve')
    await page.goto('about:blank')
    await page.goto((await mailedLink(server, one.sessionId, 'requests')).link)
    await page.getByText('everything that was recorded in this interview was deleted').waitFor()
    await page.getByText('The recordings and the words about you were deleted.').waitFor()
    expect(await page.getByText('is under a legal hold').count()).toBe(0)
    await expect
      .poll(() => page.locator('.kept dt').allInnerTexts())
      .toEqual(['Events on the computer, without pictures or sound'])
    await expect.poll(() => page.locator('summary').allInnerTexts()).toEqual([statement, copy])
    await onPage(page, kept)
  })

  it('adds nothing to a request that is open already, and keeps the words that were not sent', async () => {
    const one = await interviewed(team)
    const { page } = await opened(one)
    await unfold(page, statement)
    await page.getByLabel('Your comment').fill('These are other words.')
    // Sent from another place meanwhile, with the link that this page has.
    const token = await page.evaluate<string>("sessionStorage.getItem('page-link requests').split('.')[1]")
    await server.client(token).call('candidateRequests.submit', { body: { kind: 'context_statement', text: words } })
    await pressOn(page, 'Send this comment')
    await page.getByText('A request of this kind was already open').waitFor()
    await page.getByText('What you wrote and did not send is still here.').waitFor()
    await page.getByText('These are other words.').waitFor()
    await page.getByRole('article').getByText(words).waitFor()
    expect(await requestsOf(one)).toHaveLength(1)
    await onPage(page, kept)
  })

  it('tells of an interview that still runs that nothing can be deleted yet', async () => {
    const one = await invite(team)
    await begin(team, one)
    await capture(team, one)
    const { page } = await opened(one)
    await page.getByText('It has not ended yet, so more may be added.').waitFor()
    await unfold(page, erasure)
    await page.getByText('Nothing can be deleted before the interview has ended.').waitFor()
    await page.getByText('after the interview has ended').first().waitFor()
  })

  it('offers a new link where one has ended, or was cut off', async () => {
    const one = await interviewed(team)
    const first = await requestsLink(team, one)
    await requestsLink(team, one)
    const { page } = await open(first.link)
    await onPage(page, 'There is a newer link for you')
    expect(await page.getByLabel('Session number').inputValue()).toBe(one.sessionId)
    await page.goto('about:blank')
    await page.goto(`${server.url}/requests/#${one.sessionId}.crq_cut`)
    await onPage(page, 'This link does not work')
    await page.goto('about:blank')
    await page.goto((await lateLink(one)).link)
    await titleOn(page, kept)
    aheadMs = 8 * day
    await page.reload()
    await onPage(page, 'This link has expired')
    await askByMail(page, candidateAddress)
  })

  it('notices that its link has ended when something is sent, and has the words again behind the next one', async () => {
    const one = await interviewed(team)
    const { page } = await opened(one)
    await unfold(page, statement)
    await page.getByLabel('Your comment').fill(words)
    const { link } = await requestsLink(team, one)
    await pressOn(page, 'Send this comment')
    await titleOn(page, 'There is a newer link for you')
    await page.evaluate(`location.hash = '${new URL(link).hash}'`)
    await titleOn(page, kept)
    expect(await page.getByLabel('Your comment').inputValue()).toBe(words)
  })

  it('says that the service is not there, and goes on by itself', async () => {
    const one = await interviewed(team)
    const { page } = await visit()
    await page.route('**/v1/candidate-requests/view', (route) => route.abort())
    await page.goto((await requestsLink(team, one)).link)
    await onPage(page, 'The service cannot be reached')
    await page.unroute('**/v1/candidate-requests/view')
    await titleOn(page, kept)
  })

  it('can be used at 320 pixels, with the keyboard alone, in Hindi, with text of twice the size, and from right to left', async () => {
    const one = await interviewed(team)
    const { page } = await open((await requestsLink(team, one)).link, { width: 320, height: 640, locale: 'hi-IN' })
    const tabTo = (name: string) =>
      until(async () => {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate(
          '[document.activeElement.textContent || document.activeElement.name, getComputedStyle(document.activeElement).outlineStyle]',
        )
        expect(focused).toEqual([name, 'solid'])
      })
    const enter = async (name: string) => {
      await tabTo(name)
      await page.keyboard.press('Enter')
    }
    await onPage(page, 'आपके साक्षात्कार का डेटा')
    expect(await page.evaluate('[document.documentElement.lang, document.activeElement.tagName]')).toEqual(['hi', 'H1'])
    await enter('समीक्षा करने वालों के लिए टिप्पणी जोड़ें')
    await tabTo('text')
    await page.keyboard.type(words)
    for (const size of ['100%', '200%'])
      for (const dir of ['rtl', 'ltr']) {
        await page.evaluate(`Object.assign(document.documentElement, { dir: '${dir}' }).style.fontSize = '${size}'`)
        expect(await overflowOf(page), `${size} ${dir}`).toBeLessThanOrEqual(0)
      }
    await enter('यह टिप्पणी भेजें')
    await page.getByText('आपका अनुरोध भेज दिया गया। वह नीचे दिखता है।').waitFor()
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    expect(await requestsOf(one)).toHaveLength(1)
    await enter('English')
    await titleOn(page, kept)
  })
})
