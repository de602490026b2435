import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { memberWithCustomRole } from '../../../server/test/test-support/custom-role.ts'
import { type Invited, onPage, playedInterview } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { emptyInterview, frontWidth, heard, keepSounds, placeOf, signedInterview } from './desk-player.test-support.ts'
import { describeDesk } from './desk-use.test-support.ts'

describeDesk('the player of a review in a browser', {}, ({ team, open: openDesk }) => {
  let played: Invited
  /** One with a transcript. */
  let spoken: Invited
  beforeAll(async () => {
    const sandbox = { ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }
    played = await playedInterview(sandbox, {}, {}, 'everything_goes_wrong')
    spoken = await playedInterview(sandbox, {}, { config: { audio: { transcript: true } } })
  }, 120_000)
  const sandboxApi = () => team.server.client(team.server.orgs[0].sandboxKey)

  type Prepare = (page: Page) => Promise<unknown>
  /** The review of an interview, open for a new member. */
  const open = async (sessionId: string, prepare?: Prepare, email?: string, search = ''): Promise<Page> => {
    const page = await openDesk(`review/${sessionId}${search}`, email ? { email } : 'owner', prepare && { prepare })
    await titleOn(page, 'Review')
    await page.getByRole('group', { name: 'Player' }).waitFor()
    return page
  }
  const focusPlayer = (page: Page) => page.getByRole('slider', { name: 'Place in the interview' }).focus()
  const shown = async (page: Page) => {
    await expect.poll(() => frontWidth(page), { timeout: 20_000 }).toBeGreaterThan(0)
  }

  it('plays pictures and sound of an interview together, faster with their pitch, and what was said', async () => {
    const page = await open(spoken.sessionId, keepSounds)
    await shown(page)
    await onPage(page, 'Review')
    await pressOn(page, 'Play')
    await expect.poll(() => placeOf(page), { timeout: 20_000 }).toBeGreaterThan(1000)
    await page.getByLabel('Speed').selectOption('4')
    const isHeard = async () => (await heard(page)).filter(({ at, paused, broken }) => at > 1 && !paused && !broken)
    await expect.poll(async () => (await isHeard()).length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(await isHeard()).toEqual(
      expect.arrayContaining([expect.objectContaining({ rate: expect.closeTo(4, 0), pitch: true, muted: false })]),
    )
    await page.getByLabel('Microphone', { exact: true }).uncheck()
    await expect.poll(async () => (await heard(page)).filter(({ muted }) => muted).length).toBe(1)
    const words = page.getByRole('region', { name: 'Words', exact: true })
    await words.getByText('Candidate').first().waitFor()
    await words.getByText('Who speaks is as the application on the computer of the candidate says.').waitFor()
    await pressOn(page, 'Pause')
    await page.getByText('Paused', { exact: true }).waitFor()
  })

  it('shows what came in packs and alone, checked against its hash and its signature, and clips', async () => {
    const page = await open(await signedInterview(team.server))
    await shown(page)
    await page.getByText('matches its hash and the signature of the computer').waitFor()
    await page.locator('.smalls img').first().waitFor()
    await focusPlayer(page)
    await page.keyboard.press('.')
    await page.getByText('The content matches its hash. No computer signed it.').waitFor()
    await page.keyboard.press('.')
    await page.keyboard.press('2')
    await page.getByText('Screen d2, in front').waitFor()
    await page.keyboard.press('3')
    await page.getByText('Camera, in front').waitFor()
    await page.getByRole('button', { name: 'Show Screen d1 in front' }).waitFor()
    await page.keyboard.press('.')
    await page.keyboard.press('k')
    const clip = 'document.querySelector(".stage .front video")?.currentTime ?? 0'
    await expect.poll(() => page.evaluate(clip), { timeout: 20_000 }).toBeGreaterThan(0.5)
    await page.getByText('The end', { exact: true }).waitFor()
  })

  it('does not show what was altered on its way', async () => {
    const alter: Prepare = (page) =>
      page.route(/\/reels\/.*size=full/, async (route) => {
        const response = await route.fetch()
        const body = await response.body()
        // Within the first picture, behind its head.
        const at = 4 + body.readUInt32BE(0) + 4 + 40
        body[at] = (body[at] ?? 0) ^ 1
        await route.fulfill({ response, body })
      })
    const page = await open(await signedInterview(team.server), alter)
    await page.getByText('does not match its hash or its signature, so it is not shown').first().waitFor()
    expect(await frontWidth(page)).toBe(0)
  })

  it('is played by keys alone, and takes a note over a range and the explanation of a moment', async () => {
    const page = await open(played.sessionId)
    await shown(page)
    await focusPlayer(page)
    const at = async () => Math.round((await placeOf(page)) / 1000)
    const press = (...keys: string[]) =>
      keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
    expect(await at()).toBe(30)
    await press('ArrowRight', 'Shift+ArrowRight', 'ArrowLeft')
    expect(await at()).toBe(60)
    await press('[', 'Shift+ArrowRight', ']')
    await page.getByText('1:00 to 1:30', { exact: true }).waitFor()
    await press('n')
    await page.getByLabel('Your note about 1:00 to 1:30').waitFor()
    await page.keyboard.type('k is a letter here')
    expect(await at()).toBe(90)
    await pressOn(page, 'Save the note at this place')
    await page.getByRole('blockquote').getByText('1:00 to 1:30: k is a letter here').waitFor()
    const params = { id: played.sessionId }
    const { notes } = (await sandboxApi().call('sessions.reelIndex.get', { params })).data
    expect(notes.map(({ anchor }) => anchor)).toEqual([{ atMs: 60_000 }])
    await focusPlayer(page)
    await press('g')
    await page.getByRole('button', { name: 'Go to the end of this gap' }).waitFor()
    const gapAt = await at()
    await press('g')
    expect(await at()).toBeGreaterThan(gapAt)
    await press('m', 'e')
    await page.getByRole('group', { name: 'Player' }).getByLabel('In your words').fill('A cable came loose.')
    await page.getByRole('group', { name: 'Player' }).getByRole('button', { name: 'Save the explanation' }).click()
    await page.getByRole('blockquote').getByText('A cable came loose.').waitFor()
    await focusPlayer(page)
    await press('l', 'l')
    expect(await page.getByLabel('Speed').inputValue()).toBe('1.5')
    await press(' ', '?')
    await page.getByText('next gap, or out of this one').waitFor()
    await press('/')
    await page.keyboard.type('zzz')
    await page.getByText('0 places found').waitFor()
    await onPage(page, 'Review')
  })

  it('opens at the time of the address, and plays the ten seconds around a moment', async () => {
    const page = await open(played.sessionId, undefined, undefined, '?t=95')
    await shown(page)
    expect(await placeOf(page)).toBe(95_000)
    await focusPlayer(page)
    await page.keyboard.press('ArrowRight')
    await pressOn(page, 'Copy a link to this time')
    await page.getByText(/1:40( is copied\.|\. Copy it from there\.)/).waitFor()
    expect(new URL(page.url()).search).toBe('?t=100')
    const moment = page.locator('.moments > li').first()
    await moment.getByText('Why it happens to anybody').click()
    await moment.getByText('What was read then:').waitFor()
    await moment.getByRole('button', { name: 'Play the ten seconds around it' }).click()
    await expect.poll(() => placeOf(page)).not.toBe(100_000)
    await page.getByText('Paused', { exact: true }).waitFor()
    await onPage(page, 'Review')
  })

  it('says so where what it needs cannot be loaded, and goes on when it can', async () => {
    const page = await open(played.sessionId)
    await shown(page)
    await page.context().setOffline(true)
    await focusPlayer(page)
    for (let far = 0; far < 10; far += 1) await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('The recording could not be loaded.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('group', { name: 'Player' }).getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    await shown(page)
  })

  it('has the account, moments and notes without pictures for whoever may not open them', async () => {
    const { server } = team
    const member = await memberWithCustomRole({ server, scope: { orgId: team.orgId } })
    await member.holding(['session.view', 'report.view'])
    const page = await open(played.sessionId, undefined, member.email)
    await page.getByText('Your role does not open recordings.', { exact: false }).waitFor()
    await page.getByText(/^Moments \(0 of \d+ opened\)$/).waitFor()
    await focusPlayer(page)
    await page.keyboard.press('g')
    await page.getByRole('button', { name: 'Go to the end of this gap' }).waitFor()
    expect(await page.locator('.stage .shown').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Write a note here' }).count()).toBe(0)
    await onPage(page, 'Review')
  })

  it('works for an interview of which nothing came', async () => {
    const page = await open(await emptyInterview(team.server))
    await page.getByText('nothing recorded', { exact: false }).first().waitFor()
    await pressOn(page, 'Play')
    await page.getByText('The end', { exact: true }).waitFor()
  })

  it('speaks Hindi, on a narrow page with large text', async () => {
    const page = await open(played.sessionId)
    await shown(page)
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByRole('button', { name: 'चलाएँ', exact: true }).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await onPage(page, 'समीक्षा')
  })
})
