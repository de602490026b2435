import type { FrameLocator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { logoOf, pointsOf, testBrands } from '../../../server/test/test-support/brands.ts'
import { findChromium, launchChromium } from '../../../server/test/test-support/browser.ts'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { describeDesk, signInOver, theirsAt } from './desk-use.test-support.ts'

const [brand] = testBrands

describeDesk('the brand in a browser', {}, ({ team, url, open: openDesk }) => {
  const open = (role: 'admin' | 'interviewer') => openDesk('connections/brand', role)
  const frameOf = (page: Page, place: string) => page.frameLocator(`[data-preview="${place}"] iframe`)
  const accentIn = (frame: FrameLocator): Promise<string> =>
    frame
      .locator('html')
      .evaluate((html) => html.ownerDocument.defaultView?.getComputedStyle(html).getPropertyValue('--accent') ?? '')

  it('shows in six places what is typed, before anything is saved, and refuses what cannot be read', async () => {
    const page = await open('admin')
    await onPage(page, 'Brand')
    await expect.poll(() => page.locator('figure[data-preview]').count()).toBe(6)
    await page.getByLabel('Name that is shown').fill(brand.displayName)
    await page.getByLabel('Use colours of your own').check()
    await page.getByLabel('Buttons and links', { exact: true }).fill(brand.palette.accent)
    await page.getByLabel('Text on buttons', { exact: true }).fill('#9c1459')
    await page.getByLabel('Background', { exact: true }).fill(brand.palette.background)
    await page.getByLabel('Text', { exact: true }).fill(brand.palette.text)
    await page.getByText('Text on buttons on Buttons and links: 1 : 1, needs 4.5 : 1.').waitFor()
    await pressOn(page, 'Save')
    await page.getByText('accentText on accent is 1 : 1, needs 4.5 : 1').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('accent')
    await page.getByLabel('Text on buttons', { exact: true }).fill(brand.palette.accentText)
    for (const place of ['agent', 'phone', 'room', 'invitation'] as const) {
      const frame = frameOf(page, place)
      await frame.getByText(brand.displayName).first().waitFor()
      await expect.poll(() => accentIn(frame), { message: place }).toBe(brand.palette.accent)
    }
    // Each is the page itself, with the service's own words.
    await frameOf(page, 'room').getByRole('button', { name: 'I agree', includeHidden: true }).waitFor()
    await frameOf(page, 'invitation').getByText('What you will be asked for').first().waitFor()
    await frameOf(page, 'agent').getByText('Who is asking').waitFor()
    const button = frameOf(page, 'letter').locator('td[bgcolor]')
    await expect.poll(() => button.getAttribute('bgcolor')).toBe(brand.palette.accent)
    expect(await frameOf(page, 'letter').locator('body').textContent()).toContain(brand.displayName)
    const address = await page.getByRole('link', { name: 'Open the PDF' }).getAttribute('href')
    const paper = await page.request.get(address ?? '')
    expect(paper.headers()).toMatchObject({
      'content-type': 'application/pdf',
      'content-security-policy': "frame-ancestors 'self'",
    })
    expect((await paper.body()).subarray(0, 5).toString()).toBe('%PDF-')
    await page.getByLabel('Seen by somebody who prefers').selectOption('dark')
    await expect.poll(() => accentIn(frameOf(page, 'room'))).not.toBe(brand.palette.accent)
    await page.getByLabel('Seen by somebody who prefers').selectOption('light')
    await onPage(page, 'Brand')
    expect((await portal(team, 'portal.branding.get', {})).config).toMatchObject({ updatedAt: null })
    await pressOn(page, 'Save')
    await page.getByText('The change is saved. Everybody sees it within five seconds.').waitFor()
    expect((await portal(team, 'portal.branding.get', {})).config).toMatchObject({ palette: brand.palette })
  })

  it('paints the letter and the PDF in the colours that are typed', async () => {
    // The whole browser, as whatever asks for a camera has it: the engine alone shows no PDF.
    const browser = await launchChromium(findChromium('a PDF in a page'), ['--use-fake-ui-for-media-stream'])
    try {
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
      await signInOver(page, url(), (await addMember(team.server, 'admin', team.orgId)).email)
      await page.goto(`${url()}/desk/connections/brand`)
      await titleOn(page, 'Brand')
      await page.getByLabel('Name that is shown').fill(brand.displayName)
      await page.getByLabel('Use colours of your own').check()
      await page.getByLabel('Text on buttons', { exact: true }).fill(brand.palette.accentText)
      await page.getByLabel('Background', { exact: true }).fill(brand.palette.background)
      await page.getByLabel('Text', { exact: true }).fill(brand.palette.text)
      const painted = async (place: string) => {
        const figure = page.locator(`[data-preview="${place}"]`)
        await figure.scrollIntoViewIfNeeded()
        return figure.screenshot()
      }
      const accent = page.getByLabel('Buttons and links', { exact: true })
      for (const colour of ['#0b6e4f', brand.palette.accent]) {
        await accent.fill(colour)
        for (const place of ['letter', 'pdf'])
          await expect
            .poll(async () => pointsOf(await painted(place), colour), {
              message: `${place} in ${colour}`,
              timeout: 30_000,
            })
            .toBeGreaterThan(300)
      }
    } finally {
      await browser.close()
    }
  })

  it('keeps what is typed on another page, and overwrites nobody who was faster', async () => {
    const page = await open('admin')
    await titleOn(page, 'Brand')
    await page.getByLabel('Whom to ask about data').fill('nobody')
    await page.getByRole('link', { name: 'Today' }).click()
    await page.goBack()
    expect(await page.getByLabel('Whom to ask about data').inputValue()).toBe('nobody')
    await pressOn(page, 'Save')
    await page.getByText('must be an e-mail address or an address that begins with https://').first().waitFor()
    await page.getByLabel('Whom to ask about data').fill(brand.privacyContact)
    await portal(team, 'portal.branding.set', {}, { displayName: 'Faster' })
    await pressOn(page, 'Save')
    await page.getByText('Somebody else has saved a change since you began.').waitFor()
    expect((await portal(team, 'portal.branding.get', {})).resolved.displayName).toBe('Faster')
    expect(await theirsAt(page, 'Name that is shown').values()).toEqual([brand.displayName, 'Faster'])
    // What this one did not touch follows the other, and what they typed stays until they say otherwise.
    await expect.poll(() => theirsAt(page, 'Name that is shown').take.isChecked()).toBe(true)
    expect(await page.getByLabel('Name that is shown').inputValue()).toBe('Faster')
    expect(await theirsAt(page, 'Whom to ask about data').values()).toEqual([brand.privacyContact, 'nothing'])
    await expect.poll(() => theirsAt(page, 'Whom to ask about data').keep.isChecked()).toBe(true)
    await onPage(page, 'Brand')
    await pressOn(page, 'Save')
    await page.getByText('The change is saved. Everybody sees it within five seconds.').waitFor()
    const saved = await portal(team, 'portal.branding.get', {})
    expect(saved.resolved).toMatchObject({ displayName: 'Faster', privacyContact: brand.privacyContact })
  })

  it('shows a logo before it is saved, saves it, and asks before it is removed', async () => {
    const page = await open('admin')
    await page.getByText('There is no logo.').waitFor()
    const buffer = await logoOf(brand)
    await page.getByLabel('Picture of the logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await frameOf(page, 'room').locator('header img[src^="data:image/png"]').waitFor()
    await pressOn(page, 'Save the logo')
    await page.getByText('There is a logo of 192 by 192 pixels.').waitFor()
    await frameOf(page, 'room').locator('header img[src*="/branding/logo"]').waitFor()
    await onPage(page, 'Brand')
    await pressOn(page, 'Remove the logo')
    await page.getByRole('dialog').getByText('1 picture is removed').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the logo' }).click()
    await page.getByText('There is no logo.').waitFor()
  })

  it('is offered to nobody who may not', async () => {
    const page = await open('interviewer')
    await titleOn(page, 'There is no such page')
  })
})
