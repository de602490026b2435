import { readFileSync, writeFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { storedFiles } from '../../../server/test/test-support/capture-session.ts'
import { memberWithCustomRole } from '../../../server/test/test-support/custom-role.ts'
import { type Invited, onPage, playedInterview } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { frontWidth, placeOf, signedInterview } from './desk-player.test-support.ts'
import { describeDesk } from './desk-use.test-support.ts'
import { signInOn } from './desk-web.test-support.ts'

const words = 'The lamp went out at this place.'

describeDesk('what goes wrong while a review is looked at', {}, ({ team, open: openDesk }) => {
  let played: Invited
  beforeAll(async () => {
    played = await playedInterview({ ...team, api: sandboxApi() })
  }, 120_000)
  const sandboxApi = () => team.server.client(team.server.orgs[0].sandboxKey)
  const owner = async () => (await addMember(team.server, 'owner')).email
  const open = async (sessionId: string, email: string): Promise<Page> => {
    const page = await openDesk(`review/${sessionId}`, { email })
    await titleOn(page, 'Review')
    await playerOf(page).waitFor()
    return page
  }
  const playerOf = (page: Page) => page.getByRole('group', { name: 'Player' })
  const focusPlayer = (page: Page) => page.getByRole('slider', { name: 'Place in the interview' }).focus()
  const shown = (page: Page) => expect.poll(() => frontWidth(page), { timeout: 20_000 }).toBeGreaterThan(0)
  const beginNote = async (page: Page) => {
    await focusPlayer(page)
    await page.keyboard.press('n')
    await noteIn(page).waitFor()
    await page.keyboard.type(words)
  }
  const noteIn = (page: Page) => playerOf(page).getByRole('textbox', { name: /^Your note about/ })
  const labelOf = (page: Page): Promise<string> =>
    page.evaluate(`document.querySelector('.player textarea').labels[0].textContent`)

  it('a network that is lost in the middle of playing is said, and playing goes on by itself where it was', async () => {
    const page = await open(played.sessionId, await owner())
    await shown(page)
    await page.route(/\/reels\//, (route) => route.abort())
    await pressOn(page, 'Play')
    await page.getByLabel('Speed').selectOption('4')
    await page.getByText('The recording could not be loaded.').waitFor({ timeout: 60_000 })
    const at = await placeOf(page)
    expect(at).toBeGreaterThan(30_000)
    await page.unroute(/\/reels\//)
    await expect.poll(() => placeOf(page), { timeout: 40_000 }).toBeGreaterThan(at + 4000)
  })

  it('a network that is lost in the middle of a note loses none of it, and it is saved once', async () => {
    const page = await open(played.sessionId, await owner())
    await shown(page)
    await beginNote(page)
    await page.context().setOffline(true)
    await pressOn(page, 'Save the note at this place')
    await playerOf(page).getByText('The service cannot be reached at the moment.').waitFor()
    expect(await noteIn(page).inputValue()).toBe(words)
    await page.context().setOffline(false)
    await pressOn(page, 'Save the note at this place')
    await page.getByRole('blockquote').getByText(words).waitFor()
    await expect.poll(() => page.getByRole('blockquote').getByText(words).count()).toBe(1)
  })

  it('a sign-in that ends in the middle of a note keeps the note and the place that it is about', async () => {
    const email = await owner()
    const page = await open(played.sessionId, email)
    await shown(page)
    await focusPlayer(page)
    await page.keyboard.press('Shift+ArrowRight')
    const at = await placeOf(page)
    await beginNote(page)
    const label = await labelOf(page)
    await page.context().clearCookies()
    const save = page.getByRole('button', { name: 'Save the note at this place' }).click({ timeout: 5000 })
    await save.catch(() => undefined)
    await titleOn(page, 'Sign in to your account')
    await signInOn(page, email)
    await titleOn(page, 'Review')
    await noteIn(page).waitFor()
    expect(await noteIn(page).inputValue()).toBe(words)
    expect(await labelOf(page)).toBe(label)
    await pressOn(page, 'Save the note at this place')
    await page.getByRole('blockquote').getByText(words).first().waitFor()
    const { notes } = (await sandboxApi().call('sessions.reelIndex.get', { params: { id: played.sessionId } })).data
    expect(notes.at(-1)?.anchor).toEqual({ atMs: at })
  })

  it('a right that is taken away while somebody looks takes the pictures along, and the rest stays', async () => {
    const { server } = team
    const member = await memberWithCustomRole({ server, scope: { orgId: team.orgId } })
    await member.holding(['session.view', 'report.view', 'evidence.view'])
    const page = await open(played.sessionId, member.email)
    await shown(page)
    await member.holding(['session.view', 'report.view'])
    await focusPlayer(page)
    for (let far = 0; far < 6; far += 1) await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Your role does not open recordings.', { exact: false }).waitFor()
    expect(await frontWidth(page)).toBe(0)
    expect(await page.locator('.player img, .player video').count()).toBe(0)
    await onPage(page, 'Review')
  })

  it('a reviewer who takes a review that another has is told so, and loses nothing', async () => {
    const { sessionId } = await playedInterview({ ...team, api: sandboxApi() })
    const [first, second] = [await open(sessionId, await owner()), await open(sessionId, await owner())]
    await second.getByLabel(/What you say beside the report/).fill(words)
    await pressOn(first, 'Take this review')
    await first.getByText('In review.').waitFor()
    await pressOn(second, 'Take this review')
    await second.getByText('The report or the review has changed meanwhile.', { exact: false }).waitFor()
    await second.getByText('In review.').waitFor()
    await first.getByLabel('Write a note').fill('Looked at by the first.')
    await pressOn(first, 'Save the note')
    await first.getByRole('blockquote').getByText('Looked at by the first.').waitFor()
    await pressOn(first, 'Sign off')
    await first.getByText(/^Revision \d+ of the report is signed off\.$/).waitFor()
    await pressOn(second, 'Sign off')
    await second.getByText('what you wrote is still here', { exact: false }).first().waitFor()
    expect(await second.getByLabel(/What you say beside the report/).inputValue()).toBe(words)
  })

  it('an erasure while it plays is said, and no picture stays', async () => {
    const { sessionId } = await playedInterview({ ...team, api: sandboxApi() })
    const page = await open(sessionId, await owner())
    await shown(page)
    await pressOn(page, 'Play')
    await expect.poll(() => placeOf(page)).toBeGreaterThan(31_000)
    await sandboxApi().call('sessions.erase', { params: { id: sessionId } })
    await team.server.processAll()
    await page.getByText('erased', { exact: false }).first().waitFor({ timeout: 30_000 })
    await expect.poll(() => page.locator('.player img, .player video').count(), { timeout: 20_000 }).toBe(0)
    expect(await frontWidth(page)).toBe(0)
    await onPage(page, 'Review')
  })

  /** From item to item of each source, until there is what is looked for. */
  const stepTo = async (page: Page, wanted: Locator): Promise<void> => {
    for (const place of ['1', '2', '3']) {
      await focusPlayer(page)
      for (const key of [place, ',', ',', '.', '.']) {
        await page.keyboard.press(key)
        await page.getByText('Paused', { exact: true }).waitFor()
        if ((await wanted.count()) > 0) return
      }
    }
  }

  it('one flipped byte of what is stored, of a pack and of a single one, is not shown, and the rest plays', async () => {
    const before = new Set(await storedFiles(team.server, 'objects'))
    const sessionId = await signedInterview(team.server)
    const files = (await storedFiles(team.server, 'objects')).filter((name) => !before.has(name))
    expect(files.length).toBeGreaterThan(1)
    const states: number[] = []
    for (const file of files) {
      const whole = readFileSync(file)
      const flipped = Buffer.from(whole)
      const middle = Math.floor(flipped.length / 2)
      flipped[middle] = (flipped[middle] ?? 0) ^ 1
      writeFileSync(file, flipped)
      const page = await open(sessionId, await owner())
      await page.locator('.view.item, .view.unsigned, .view.signed, .view.unfit').first().waitFor()
      const said = page.getByText(/The service (withholds this recording|did not deliver this recording)/)
      await stepTo(page, said)
      await said.first().waitFor()
      // Where it is, the place is striped and shows nothing of it.
      const place = page.locator('.stage .view', { has: said }).first()
      const stripes =
        'document.querySelector(".stage .view.unfit") && getComputedStyle(document.querySelector(".stage .view.unfit")).backgroundImage'
      expect(await place.locator('img, video').count()).toBe(0)
      expect(await page.evaluate(stripes)).toContain('repeating-linear-gradient')
      // The rest is shown and plays.
      await stepTo(page, page.locator('.stage .front .shown'))
      await shown(page)
      await pressOn(page, 'Play')
      await page.getByText('The end', { exact: true }).waitFor()
      states.push(await said.count())
      await page.context().close()
      writeFileSync(file, whole)
    }
    expect(states).toHaveLength(files.length)
  })
})
