import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { playedInterview } from '../../../server/test/test-support/link-pages.ts'
import { titleOn } from '../../../server/test/test-support/pages.ts'
import { frontWidth } from './desk-player.test-support.ts'
import { describeDesk } from './desk-use.test-support.ts'
import { tabTo } from './desk-web.test-support.ts'

const words = 'The network was away; the notes say so.'

describeDesk('a reviewer who closes every incident', { timeout: 180_000 }, ({ team, open }) => {
  const isInPlayer = (page: Page): Promise<boolean> => page.evaluate('document.activeElement?.className === "seek"')

  it('explains each moment of an interview in which everything goes wrong, and signs off, by keyboard alone', async () => {
    const api = team.server.client(team.server.orgs[0].sandboxKey)
    const { sessionId } = await playedInterview({ ...team, api }, {}, {}, 'everything_goes_wrong')
    const page = await open(`review/${sessionId}`, 'reviewer')
    await titleOn(page, 'Review')
    await page.getByRole('group', { name: 'Player' }).waitFor()
    await expect.poll(() => frontWidth(page), { timeout: 20_000 }).toBeGreaterThan(0)
    const momentsOf = async () => (await api.call('sessions.reelIndex.get', { params: { id: sessionId } })).data.moments
    const total = (await momentsOf()).length
    expect(total).toBeGreaterThanOrEqual(9)
    let keys = 0
    const press = async (key: string) => {
      keys += 1
      await page.keyboard.press(key)
    }
    const began = performance.now()
    await page.getByRole('slider', { name: 'Place in the interview' }).focus()
    await press('Home')
    for (let done = 0; done < total; done += 1) {
      await press('m')
      await page.getByText('Paused', { exact: true }).waitFor()
      await press('e')
      await page.getByRole('group', { name: 'Player' }).getByLabel('In your words').waitFor()
      keys += words.length
      await page.keyboard.type(words)
      await press('Tab')
      await press('Enter')
      await expect.poll(() => isInPlayer(page)).toBe(true)
    }
    await page.getByText(`Moments (${total} of ${total} opened)`).waitFor()
    await page.getByText(new RegExp(`^Shown to you in this visit: ${total} of ${total} moments, `)).waitFor()
    await tabTo(page, 'Take this review')
    await page.getByText('In review.').waitFor()
    await tabTo(page, 'Sign off')
    await page.getByText(/^Revision \d+ of the report is signed off\.$/).waitFor()
    const took = Math.round((performance.now() - began) / 100) / 10
    console.info(
      `${total} moments explained and signed off with ${keys} keys and the tabs to the sign-off in ${took} s`,
    )
    expect((await momentsOf()).map(({ annotations }) => annotations.length)).toEqual(Array(total).fill(1))
    // For each moment: to it, open, its words, to the button, save.
    expect(keys).toBe(1 + total * (4 + words.length))
  })
})
