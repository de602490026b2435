import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Watched, watch } from '../../test-support/browser.ts'
import { zip } from '../../test-support/zips.ts'
import type { Members, Verdict } from './bundles.test-support.ts'

const file = resolve(import.meta.dirname, '../../../../docs/verify/verify-bundle.html')

interface Given {
  readonly key?: string
  /** The key as a file, with its minisign signature and whose it must be. */
  readonly keyFiles?: readonly { readonly name: string; readonly text: string }[]
  readonly minisign?: string
}

export interface VerifierPage {
  readonly page: Page
  readonly seen: Watched
  /** What the page says of a bundle. */
  readonly verdictOf: (bundle: Buffer | Members, given?: Given) => Promise<Verdict>
  close(): Promise<void>
}

/** The page of docs/verify as a file, in a browser that has no network. */
export const openVerifier = async (browser: Browser, options: BrowserContextOptions = {}): Promise<VerifierPage> => {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options })
  await context.setOffline(true)
  const page = await context.newPage()
  const seen = watch(page)
  const verdictOf = async (bundle: Buffer | Members, { key = '', keyFiles = [], minisign = '' }: Given = {}) => {
    if (page.url() === 'about:blank') await page.goto(pathToFileURL(file).href)
    const buffer = Buffer.isBuffer(bundle) ? bundle : zip(bundle)
    await page.setInputFiles('#bundle', { name: 'bundle.zip', mimeType: 'application/zip', buffer })
    await page.fill('#key', key)
    await page.evaluate('document.querySelector("fieldset details").open = true')
    const payloads = keyFiles.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }))
    await page.setInputFiles('#key-files', payloads)
    await page.fill('#minisign', minisign)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.waitForSelector('#result[data-done]', { state: 'attached' })
    const faults = page.locator('#faults li')
    const named = await faults.evaluateAll((all) =>
      all.map((one) => `${one.getAttribute('data-fault')} ${one.getAttribute('data-where')}`),
    )
    const names = [...new Set(named.map((one) => one.split(' ')[0]!))]
    return { code: names.length > 0 ? 1 : 0, faults: names, named, text: await page.locator('main').innerText() }
  }
  return { page, seen, verdictOf, close: () => context.close() }
}
