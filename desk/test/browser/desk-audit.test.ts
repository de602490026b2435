import { readFileSync } from 'node:fs'
import type { BuiltInRole } from '@integrity/protocol'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { tamper } from '../../../server/src/kernel/audit/audit.test-support.ts'
import { interviewed, onPage } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'
import { pathOf, tabTo } from './desk-web.test-support.ts'

describeDesk('the audit trail in a browser', narrow, ({ team, open: openDesk }) => {
  let sessionId = ''
  beforeAll(async () => {
    sessionId = (await interviewed(team)).sessionId
    await team.server.processAll()
  })
  const open = (query = '', who: BuiltInRole | { email: string } = 'owner') =>
    openDesk(`organisation/audit${query}`, who)
  const bodyRows = (page: Page) => page.locator('table.entries tbody tr')

  it('says in words what happened, and is narrowed by what an entry and the form name', async () => {
    const page = await open()
    await titleOn(page, 'Audit trail')
    const ended = bodyRows(page).filter({ hasText: 'A session was ended.' })
    await ended.waitFor()
    await onPage(page, 'Audit trail')
    await page.getByText('A member signed in.').first().waitFor()
    await ended.locator('summary').click()
    await ended.getByRole('link', { name: 'Only entries of this interview' }).click()
    await page.waitForURL('**/organisation/audit?*')
    expect(pathOf(page)).toContain(`session=${sessionId}`)
    await page.getByText('A member signed in.').first().waitFor({ state: 'detached' })
    await page.getByLabel('Action').fill('ended')
    await pressOn(page, 'Show these entries')
    await page.getByText('The name of an action has a dot in it, such as session.ended.').waitFor()
    expect(await page.getByLabel('Action').inputValue()).toBe('ended')
    await page.getByLabel('Action').fill('session.ended')
    await pressOn(page, 'Show these entries')
    await page.getByText('1 of 1 shown').waitFor()
    await page.reload()
    await page.getByText('1 of 1 shown').waitFor()
    await page.getByLabel('First day (UTC)').fill('2099-01-01')
    await pressOn(page, 'Show these entries')
    await page.getByText('No entry fits this choice.').waitFor()
    await pressOn(page, 'Show all entries')
    await page.getByText('A member signed in.').first().waitFor()
  })

  it('takes the last day of a period whole, and refuses one that is before the first', async () => {
    const today = new Date(team.server.app.clock.now()).toISOString().slice(0, 10)
    const page = await open(`?from=${today}&to=${today}&action=session.ended`)
    await page.getByText('1 of 1 shown').waitFor()
    await page.getByLabel('Last day (UTC)').fill('2020-01-01')
    await pressOn(page, 'Show these entries')
    await page.getByText('Please choose a day that is not before the first one.').waitFor()
    await page.getByText('1 of 1 shown').waitFor()
  })

  it('checks every entry and saves an export that ends with its checkpoint, by keyboard alone', async () => {
    const page = await open('?action=session.ended')
    await page.getByText('1 of 1 shown').waitFor()
    await tabTo(page, 'Check every entry')
    await page.getByText(/^\d+ entries checked\. Each is as it was written, and none is missing\./).waitFor()
    const download = page.waitForEvent('download')
    await tabTo(page, 'Save the export')
    const file = await (await download).path()
    await page.getByText('1 part saved. The export is complete.').waitFor()
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['row', 'end'])
    expect(lines[0]).toContain(sessionId)
    expect(lines[1]).toContain('interview-integrity/audit/')
    await onPage(page, 'Audit trail')
  })

  it('names the entry at which the check fails', async () => {
    const orgId = team.server.orgs[1].orgId
    const { email } = await addMember(team.server, 'owner', orgId)
    const page = await open('', { email })
    await titleOn(page, 'Audit trail')
    await tamper(team.server.app.db, ['DELETE FROM audit_log WHERE org_id = ? AND seq = 1', [orgId]])
    await pressOn(page, 'Check every entry')
    await page.getByText(/Entry 1: it is missing\./).waitFor()
  })

  it('speaks Hindi', async () => {
    const page = await open('?action=session.ended')
    await page.getByText('1 of 1 shown').waitFor()
    await pressOn(page, 'हिन्दी')
    await onPage(page, 'लेखा-जोखा')
    await page.getByText('एक सत्र समाप्त किया गया।').waitFor()
  })

  it('is offered to nobody who may not', async () => {
    const page = await open('', 'reviewer')
    await titleOn(page, 'There is no such page')
    expect(await page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0)
  })
})
