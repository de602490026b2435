import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { interviewed, onPage } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { describeDesk } from './desk-use.test-support.ts'

describeDesk('what a review gives away', {}, ({ team, open }) => {
  let sessionId = ''
  beforeAll(async () => {
    sessionId = (await interviewed(team)).sessionId
    await team.server.processAll()
  })
  const openAs = async (role: 'owner' | 'interviewer'): Promise<Page> => {
    const page = await open(`review/${sessionId}`, role)
    await titleOn(page, 'Review')
    return page
  }
  /** What the browser saves when a link of this name is pressed. */
  const savedBy = async (page: Page, name: string): Promise<Buffer> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
    return readFileSync(await download.path())
  }

  it('is everything with its proof, and all data, saved by the browser and written down', async () => {
    const page = await openAs('owner')
    expect((await savedBy(page, 'Everything with its proof (ZIP)')).subarray(0, 2).toString()).toBe('PK')
    const data = JSON.parse((await savedBy(page, 'All data without recordings (JSON)')).toString()) as {
      format: string
    }
    expect(data.format).toBe('session-export/1')
    await pressOn(page, 'Show who has looked')
    await page.getByText('session.bundle_downloaded').waitFor()
    await page.getByText('session.exported').waitFor()
    await onPage(page, 'Review')
  })

  it('is a film, made when somebody asks, with how far it has come', async () => {
    const page = await openAs('owner')
    await page.getByText('Nobody has asked for it yet.').waitFor()
    await pressOn(page, 'Make the film')
    await page.getByText('It waits for its turn.').waitFor()
    await team.server.processAll()
    await page.getByText('It is ready.').waitFor()
    expect((await savedBy(page, 'Save the film')).subarray(4, 8).toString()).toBe('ftyp')
  })

  it('is given to another reviewer, with how many they have', async () => {
    await addMember(team.server, 'reviewer')
    const page = await openAs('owner')
    const choice = page.getByLabel('Give it to')
    await choice.waitFor()
    const chosen = await choice.locator('option:checked').textContent()
    expect(chosen).toMatch(/\(0 unfinished\)$/)
    await pressOn(page, 'Give')
    await page
      .getByText(chosen?.replace(/ \(0 unfinished\)$/, '') ?? '')
      .first()
      .waitFor()
    await page.reload()
    await titleOn(page, 'Review')
    await page.getByLabel('Give it to').waitFor()
    expect(await page.getByLabel('Give it to').locator('option').allTextContents()).not.toContain(chosen)
  })

  it('is nothing for whoever may only read', async () => {
    const page = await openAs('interviewer')
    // Drawn with the sections that are looked for: before it, nothing would be there for anybody.
    await page.getByText('Your role can read this report, and does not sign it.').waitFor()
    expect(await page.getByRole('link', { name: 'Everything with its proof (ZIP)' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^(Make the film|Report as (PDF|JSON))$/ }).count()).toBe(0)
    expect(await page.getByText('Take the report away').count()).toBe(0)
    expect(await page.getByLabel('Give it to').count()).toBe(0)
  })
})
