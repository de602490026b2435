import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { interviewed, onPage, playedInterview, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { frontWidth, placeOf, signedInterview } from './desk-player.test-support.ts'
import { describeDesk } from './desk-use.test-support.ts'

describeDesk('what a review says of its interview', {}, ({ team, open: openDesk }) => {
  const open = async (sessionId: string, role: 'owner' | 'reviewer' = 'owner'): Promise<Page> => {
    const page = await openDesk(`review/${sessionId}`, role)
    await titleOn(page, 'Review')
    return page
  }

  it('is plain of one that is collected still, held, and erased, and nothing can be seen of the last', async () => {
    const { sessionId } = await interviewed(team)
    await team.server.processAll()
    const collecting = await open(sessionId)
    await collecting.getByText('The application may still deliver parts of the recording.', { exact: true }).waitFor()
    await portal(team, 'portal.retention.sessions.hold', { sessionId }, { on: true, reason: 'A court asked.' })
    const held = await open(sessionId, 'reviewer')
    await held.locator('.lead').getByText('kept by legal hold').waitFor()
    await onPage(held, 'Review')
    await portal(team, 'portal.retention.sessions.hold', { sessionId }, { on: false })
    await team.api.call('sessions.erase', { params: { id: sessionId } })
    await team.server.processAll()
    const erased = await open(sessionId)
    await erased.getByText('What was captured of this interview was erased.', { exact: false }).waitFor()
    await erased.getByRole('heading', { name: 'What was recorded' }).waitFor()
    await erased.getByRole('img', { name: /^Screen: / }).waitFor()
    expect(await erased.locator('.player :is(img, video)').count()).toBe(0)
    await onPage(erased, 'Review')
  })

  it('is plain of one of the sandbox, and of one that goes on', async () => {
    const sandbox = { ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }
    const { sessionId } = await interviewed(sandbox)
    const page = await open(sessionId)
    await page.locator('.lead').getByText('sandbox').waitFor()
    const { id } = (await team.api.call('sessions.create', { body: { candidateLabel: 'Not begun' } })).data
    const ahead = await open(id)
    await ahead.getByText('The interview has not ended. Its report can be read now', { exact: false }).waitFor()
  })

  it('shows a source of which nothing came as what its account says, beside those that play', async () => {
    const page = await open(await signedInterview(team.server))
    await expect.poll(() => frontWidth(page), { timeout: 20_000 }).toBeGreaterThan(0)
    const strip = page.getByRole('img', { name: /^Microphone: .* nothing recorded, / })
    await strip.waitFor()
    await page.locator('.axis').getByText('Microphone', { exact: true }).waitFor()
    // Nothing is asked for of it, and nothing waits for it.
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const at = await placeOf(page)
    await pressOn(page, 'Play')
    await page.getByText('The end', { exact: true }).waitFor()
    expect(await placeOf(page)).toBeGreaterThan(at)
    expect(asked.filter((url) => /\/reels\/(microphone|system_audio)/.test(url))).toEqual([])
  })

  it('names each strip by its times and reasons, and each mark by its time and what it is of', async () => {
    const sandbox = { ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }
    const { sessionId } = await playedInterview(sandbox, {}, {}, 'everything_goes_wrong')
    const page = await open(sessionId)
    const time = String.raw`\d{1,2}:\d\d:\d\d`
    for (const lane of ['Screen', 'Microphone', 'Camera'])
      await page
        .getByRole('img', { name: new RegExp(`^${lane}: .*${time} to ${time}: nothing recorded, \\S`) })
        .first()
        .waitFor()
    const { data } = await sandbox.api.call('sessions.reelIndex.get', { params: { id: sessionId } })
    await page.getByText(/^Moments \(\d+ of \d+ opened\)$/).click()
    const marks = page.locator('.player .said').getByRole('button', { name: /^\d+:\d\d \S.{5,}/ })
    await expect.poll(() => marks.count()).toBe(data.moments.length)
    await onPage(page, 'Review')
  })
})
