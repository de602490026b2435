import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createLog } from '../../../server/src/platform/log/log.ts'
import { requestLink, sentRequest } from '../../../server/test/test-support/candidate-requests.ts'
import {
  begin,
  candidateAddress,
  type Invited,
  interviewed,
  invite,
} from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk } from './desk-use.test-support.ts'
import { storedIn, tabTo } from './desk-web.test-support.ts'

const label = 'Wilhelmina Quartz'
const own = {
  statement: 'Heard-through-the-wall neighbour.',
  note: 'Noticed-at-noon lamp.',
  signed: 'Signed-with-care words.',
  answer: 'Answered-with-thanks words.',
  invitation: 'Bring-a-cup-of-tea words.',
  search: 'wilhelm',
}
const secret = [label, candidateAddress, ...Object.values(own)]

const lines: string[] = []
// As a server writes it that tells everything.
const destination = { write: (line: string) => lines.push(line) }
const log = createLog({ level: 'trace', hiddenKeys: ['candidateLabel'], destination })

describeDesk('what the desk tells nobody else of a candidate', { overrides: { log } }, ({ team, url, open }) => {
  let past: Invited
  let requestId = ''
  beforeAll(async () => {
    past = await interviewed(team)
    const { db } = team.server.app
    await db.transact((tx) =>
      tx.run('UPDATE sessions SET candidate_label = ? WHERE session_id = ?', [label, past.sessionId]),
    )
    const scope = { orgId: team.orgId, environment: 'live' } as const
    const token = await requestLink(team.server, scope, past.sessionId)
    const body = { kind: 'context_statement', text: own.statement } as const
    await team.server.client(token).call('candidateRequests.submit', { body })
    requestId = (await sentRequest(team.server, scope, past.sessionId, 'access')).id
    await team.server.processAll()
  })

  /** Everything that a browser keeps of a place, and that others see of it. */
  const seenOf = async (page: Page): Promise<string> => {
    const kept = await page.evaluate<string>(`(async () => JSON.stringify([document.cookie, history.state, window.name,
      await indexedDB.databases(), await caches.keys(), (await navigator.serviceWorker?.getRegistrations())?.length]))()`)
    return [page.url(), decodeURIComponent(page.url()), await page.title(), await storedIn(page), kept].join('\n')
  }
  /** `drafts`: what a reviewer is writing, which the tab keeps through a sign-in until it is sent or they sign out. */
  const isQuiet = async (page: Page, drafts: readonly string[] = []) => {
    const seen = (await seenOf(page)).toLowerCase()
    const forGood = await page.evaluate<string>('JSON.stringify(Object.entries(localStorage))')
    expect(drafts.filter((words) => !seen.includes(words.toLowerCase()) || forGood.includes(words))).toEqual([])
    for (const words of secret.filter((one) => !drafts.includes(one)))
      expect(seen, page.url()).not.toContain(words.toLowerCase())
  }
  const answered: Response[] = []
  const at = async (page: Page, path: string, title: string) => {
    await page.goto(`${url()}/desk/${path}`)
    await titleOn(page, title)
  }
  const listen = async (page: Page) => {
    page.on('response', (response) => answered.push(response))
  }

  it('has nothing of them in addresses, titles and storages, whatever is written', async () => {
    const page = await open('interviews', 'owner', { prepare: listen })
    await titleOn(page, 'Interviews')
    await page.getByLabel('Search for an interview').fill(own.search)
    await page.getByRole('link', { name: label }).click()
    await titleOn(page, 'Interview')
    await page.getByText(candidateAddress).waitFor()
    await isQuiet(page)
    await page.goBack()
    await titleOn(page, 'Interviews')
    await isQuiet(page)
    await at(page, `review/${past.sessionId}`, 'Review')
    await page.getByText(own.statement).first().waitFor()
    await page.getByLabel('Write a note').fill(own.note)
    await page.getByLabel(/What you say beside the report/).fill(own.signed)
    await isQuiet(page, [own.note, own.signed])
    await pressOn(page, 'Save the note')
    await page.getByRole('blockquote').getByText(own.note).waitFor()
    await page.getByLabel(/I sign although words of the candidate/).check()
    await pressOn(page, 'Sign off')
    await page.getByText('Revision 1 of the report is signed off.').waitFor()
    await isQuiet(page)
    await at(page, `requests/${requestId}`, 'Request of a candidate')
    await page.getByLabel('Your words to the candidate').fill(own.answer)
    await isQuiet(page)
    await pressOn(page, 'Send the message')
    await page.getByText('The message was sent.').waitFor()
    await at(page, 'interviews/new', 'Schedule an interview')
    await page.getByLabel('Name of the candidate').fill(label)
    await page.getByLabel('E-mail address for the invitation').fill(candidateAddress)
    await isQuiet(page)
    await at(page, 'reviews', 'Reviews')
    await isQuiet(page)
    await tabTo(page, 'Sign out')
    await titleOn(page, 'Sign in to your account')
    await isQuiet(page)
  })

  it('has them while they are watched live, too', async () => {
    const live = await invite(team, {}, { candidateLabel: label })
    await begin(team, live)
    const page = await open(`live?session=${live.sessionId}`, 'owner', { prepare: listen })
    await page.getByText(label).first().waitFor()
    await isQuiet(page)
  })

  it('sends every answer of theirs as one that is kept nowhere, and pages that run nothing but their own', async () => {
    const page = await open(`review/${past.sessionId}`, 'owner', { prepare: listen })
    await titleOn(page, 'Review')
    await page.getByText('Shown to you in this visit', { exact: false }).waitFor()
    const answers = answered.filter((one) => one.url().includes('/v1/'))
    expect(answers.length).toBeGreaterThan(20)
    expect(answers.some((one) => one.url().includes('/reels/'))).toBe(true)
    const kept = answers.filter((one) => !one.headers()['cache-control']?.includes('no-store'))
    expect(kept.map((one) => one.url())).toEqual([])
    const pages = answered.filter((one) => one.headers()['content-type']?.startsWith('text/html'))
    expect(pages.length).toBeGreaterThan(0)
    for (const one of pages) {
      const policy = one.headers()['content-security-policy'] ?? ''
      expect(policy).toMatch(/default-src 'none'/)
      expect(policy).not.toMatch(/unsafe-(inline|eval|hashes)|\*|https?:/)
      expect(policy).toMatch(/frame-ancestors 'none'/)
      expect(one.headers()['referrer-policy']).toBe('no-referrer')
    }
  })

  it('writes none of it into the log, though it writes down each request', () => {
    const text = lines.join('').toLowerCase()
    for (const id of ['portal.sessions.list', 'portal.notes.add', 'portal.reels.get', 'portal.report.signOff'])
      expect(text).toContain(id.toLowerCase())
    for (const words of secret) expect(text).not.toContain(words.toLowerCase())
  })
})
