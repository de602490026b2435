import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AtsDouble, haveAts, startAtsDouble } from '../../../server/test/test-support/ats-double.ts'
import { theirCredentials } from '../../../server/test/test-support/ats-systems.ts'
import { portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, theirsAt } from './desk-use.test-support.ts'

const overtaken = /^Somebody else has saved a change since you began/

// What the pages of a policy, the window, a role, a hold, a webhook, the brand, the storage and the statement do is in their own tests.
describeDesk('two owners of the same settings', { own: true }, ({ team, open: openDesk }) => {
  let ats: AtsDouble
  beforeAll(async () => {
    ats = await startAtsDouble()
    haveAts(team.server, ats)
  })
  afterAll(async () => {
    await ats?.stop()
  })
  const open = async (path: string, title: string): Promise<Page> => {
    const page = await openDesk(path, 'owner')
    await titleOn(page, title)
    return page
  }

  it('tells the second who saves a hiring system; pausing it is no change of its settings', async () => {
    const credentials = theirCredentials.lever
    const { id } = await portal(team, 'portal.ats.connect', {}, { provider: 'lever', label: 'Hiring', credentials })
    const page = await open(`connections/hiring-systems/${id}`, 'Hiring system')
    await page.getByLabel('Name here').fill('Engineering')
    await portal(team, 'portal.ats.update', { configId: id }, { status: 'paused' })
    await pressOn(page, 'Save')
    await page.getByText('The change is saved.').waitFor()
    await page.getByLabel('Name here').fill('Design')
    await portal(team, 'portal.ats.update', { configId: id }, { label: 'Faster', settings: { invite: false } })
    await pressOn(page, 'Save')
    await page.getByText(overtaken).waitFor()
    expect(await theirsAt(page, 'Name here').values()).toEqual(['Design', 'Faster'])
    const [before] = (await portal(team, 'portal.ats.list', {})).items
    expect(before).toMatchObject({ label: 'Faster', settings: { invite: false } })
    await pressOn(page, 'Save')
    await page.getByText('The change is saved.').waitFor()
    const [after] = (await portal(team, 'portal.ats.list', {})).items
    // What this one did not touch follows the other.
    expect(after).toMatchObject({ label: 'Design', settings: { invite: false } })
  })

  it('tells the second who saves a chat app', async () => {
    const body = { provider: 'teams', url: 'http://127.0.0.1:9/workflows/w', label: 'Hiring' }
    const { integration } = await portal(team, 'portal.chat.install', {}, body)
    const page = await open(`connections/chat/${integration?.id}`, 'Chat app')
    await page.getByLabel('Announce when more reviews than this are open').fill('7')
    await portal(team, 'portal.chat.update', { integrationId: integration?.id ?? '' }, { reviewThreshold: 20 })
    await pressOn(page, 'Save')
    await page.getByText(overtaken).waitFor()
    expect(await theirsAt(page, 'Announce when more reviews').values()).toEqual(['7', '20'])
    expect((await portal(team, 'portal.chat.list', {})).items[0]).toMatchObject({ reviewThreshold: 20 })
    await pressOn(page, 'Save')
    await page.getByText('The change is saved.').waitFor()
    expect((await portal(team, 'portal.chat.list', {})).items[0]).toMatchObject({ reviewThreshold: 7 })
  })

  it('tells the second who names a time-stamp authority', async () => {
    const page = await open('organisation/general', 'The organisation')
    await page.getByLabel('Policy').fill('1.2.3.4')
    await portal(team, 'portal.timestamps.set', {}, { authority: null })
    await pressOn(page, 'Try it and save')
    await page.getByText(overtaken).waitFor()
    expect(await theirsAt(page, 'Policy').values()).toEqual(['1.2.3.4', 'nothing'])
    expect(await page.getByLabel('Policy').inputValue()).toBe('1.2.3.4')
  })

  it('tells the second who renames a policy, though its rules are the same', async () => {
    const { id } = await portal(team, 'portal.policies.create', {}, { name: 'First', config: {} })
    const page = await open(`organisation/policies/${id}?edit=yes`, 'Write the next version')
    await page.getByLabel('Name of the policy').fill('Mine')
    await portal(team, 'portal.policies.patch', { policyId: id }, { name: 'Faster' })
    await pressOn(page, 'Save the next version')
    await page.getByText(overtaken).waitFor()
    expect(await theirsAt(page, 'Name of the policy').values()).toEqual(['Mine', 'Faster'])
    expect((await portal(team, 'portal.policies.get', { policyId: id })).name).toBe('Faster')
    await pressOn(page, 'Save the next version')
    await titleOn(page, 'Policy')
    await expect.poll(async () => (await portal(team, 'portal.policies.get', { policyId: id })).name).toBe('Mine')
  })

  it('saves for one of two who press at the same moment, and tells the other', async () => {
    await portal(team, 'portal.retention.put', {}, { defaultDays: 100 })
    const pages = [await open('organisation/retention', 'Retention'), await open('organisation/retention', 'Retention')]
    const wished = ['200', '300']
    for (const [n, page] of pages.entries())
      await page.getByLabel('Days after the end of an interview').fill(wished[n] ?? '')
    const ends = await Promise.all(
      pages.map(async (page) => {
        await page.getByRole('button', { name: 'Save the days' }).click()
        const saved = page.getByText(/^Saved: \d+ days\.$/)
        await saved.or(page.getByText(overtaken)).first().waitFor()
        return (await saved.count()) > 0
      }),
    )
    expect(ends.filter(Boolean).length).toBe(1)
    const { defaultDays } = await portal(team, 'portal.retention.get', {})
    expect(String(defaultDays)).toBe(wished[ends.indexOf(true)])
    const late = pages[ends.indexOf(false)]
    expect(await late?.getByLabel('Days after the end of an interview').inputValue()).toBe(wished[ends.indexOf(false)])
  })
})
