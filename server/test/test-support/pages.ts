import type { Page } from 'playwright-core'

/** What tests and pictures of the phone's and the room's pages do on them, by the words that are on them. */
export const titleOn = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
export const pressOn = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

/** The width of the logo once it is shown. Pages forbid `eval`, which `waitForFunction` needs as soon as it has to wait. */
export const logoOn = async (page: Page): Promise<number> => {
  const at = '[role=banner] img, header img'
  await page.locator(at).first().waitFor()
  return page.evaluate(
    `(async (image) => { await image.decode(); return image.naturalWidth })(document.querySelector('${at}'))`,
  )
}

export const agreeOnPhone = (page: Page): Promise<void> => pressOn(page, 'I agree')

/** The lines of the placement that the candidate ticks. */
export const tickAll = async (page: Page): Promise<void> => {
  const lines = page.locator('[role=main] button[aria-pressed=false]')
  while ((await lines.count()) > 0) await lines.first().click()
}

/** From the placement's first screen to its photo, which is shown and not yet sent. */
export const toPhoto = async (page: Page): Promise<void> => {
  await pressOn(page, 'Turn the camera on')
  await page.getByLabel('What the camera sees now').waitFor()
  await tickAll(page)
  await pressOn(page, 'Take the photo')
  await page.getByAltText('The photo that you took').waitFor()
}

/** From the consent to the side view. */
export const phoneToLive = async (page: Page): Promise<void> => {
  await agreeOnPhone(page)
  await toPhoto(page)
  await pressOn(page, 'Send this photo and begin')
  await titleOn(page, 'The side view')
}

export const stopPhone = async (page: Page): Promise<void> => {
  await pressOn(page, 'Stop and disconnect')
  await pressOn(page, 'Stop')
}

/** From the consent to the first picture being taken. */
export const roomToLive = async (page: Page): Promise<void> => {
  await pressOn(page, 'I agree')
  await pressOn(page, 'Turn the camera on')
  await pressOn(page, 'Start taking pictures')
  await titleOn(page, 'The camera is on')
}
