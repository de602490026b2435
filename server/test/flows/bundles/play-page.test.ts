import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, launchChromium, type Watched, watch } from '../../test-support/browser.ts'
import { makeMedia } from '../../test-support/film-fixtures.ts'
import { accessibilityFaults, overflowOf, smallTargets } from '../../test-support/room-pages.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bundleOf, interview, keyOf, type Members, verdictOf } from './bundles.test-support.ts'
import { openVerifier } from './verifier-page.test-support.ts'

const chromium = findChromium('the page in a bundle that plays it')

/** A bundle as somebody unpacks it. */
const unpacked = async (members: Members): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'unpacked bundle '))
  for (const [path, bytes] of members) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  return folder
}

describe.skipIf(!chromium)('play.html in an unpacked bundle', { timeout: 120_000 }, () => {
  let server: TestServer
  let browser: Browser
  let members: Members
  let folder: string
  beforeAll(async () => {
    server = await startServer({ engine: 'sqlite' })
    const sound = await makeMedia('ogg', ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4', '-c:a', 'libopus'])
    members = await bundleOf(server, await interview(server, sound))
    folder = await unpacked(members)
    browser = await launchChromium(chromium)
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true })
    await server?.stop()
  })
  const open = async (from = folder, locale = 'en-GB'): Promise<{ page: Page; seen: Watched }> => {
    const context = await browser.newContext({ locale, viewport: { width: 1000, height: 900 } })
    await context.setOffline(true)
    const page = await context.newPage()
    const seen = watch(page)
    await page.goto(pathToFileURL(join(from, 'play.html')).href)
    return { page, seen }
  }
  const naturalWidth = async (page: Page): Promise<number> => {
    await page.getByRole('img', { name: /^Display|^Screen/ }).waitFor()
    return page.evaluate(() => {
      const image = document.querySelector('img')
      return image ? image.decode().then(() => image.naturalWidth) : 0
    })
  }

  it('shows pictures, plays sound and lists moments from a folder, without a network', async () => {
    const { page, seen } = await open()
    await page.getByRole('heading', { name: 'Recording of an interview' }).waitFor()
    expect(await naturalWidth(page)).toBe(8)
    // A picture that never came is a gap, of which a moment tells.
    const moments = page.locator('#moments button')
    await moments.first().waitFor()
    expect(await moments.count()).toBeGreaterThan(0)
    // The sound came last: from there on it is heard.
    await page.evaluate(() => {
      const account = (
        globalThis as unknown as { bundleAccount: { sources: { items: { contentType: string; atMs: number }[] }[] } }
      ).bundleAccount
      const sound = account.sources
        .flatMap(({ items }) => items)
        .find(({ contentType }) => contentType.startsWith('audio/'))
      const place = document.getElementById('place') as HTMLInputElement
      place.value = String(sound!.atMs)
      place.dispatchEvent(new Event('input'))
    })
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0.3)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    expect(await page.evaluate(() => document.querySelector('audio')?.duration)).toBeCloseTo(4, 0)
    expect(seen.errors).toEqual([])
    expect([...new Set(seen.requests.map((url) => new URL(url).protocol))]).toEqual(['file:'])
    await page.context().close()
  })

  it('reads the words along when it is given the transcript, and goes where one of them was said', async () => {
    const { page, seen } = await open()
    await page.getByLabel(/^Choose the file transcript\.jsonl/).setInputFiles(join(folder, 'transcript.jsonl'))
    await page.getByRole('button', { name: /Sentence 1\./ }).click()
    await page.locator('#words [aria-current="true"]', { hasText: 'Sentence 1.' }).waitFor()
    await page.getByLabel(/^Choose the file transcript\.jsonl/).setInputFiles(join(folder, 'seal.txt'))
    await page.getByText('This file is no transcript of a bundle.').waitFor()
    expect(seen.errors).toEqual([])
    await page.context().close()
  })

  it('is led by keys, and speaks Hindi', async () => {
    const { page, seen } = await open(folder, 'hi-IN')
    await page.getByRole('heading', { name: 'साक्षात्कार की रिकॉर्डिंग' }).waitFor()
    const place = page.getByRole('slider', { name: 'साक्षात्कार में स्थान' })
    const before = Number(await place.inputValue())
    await page.keyboard.press('ArrowRight')
    expect(Number(await place.inputValue())).toBe(before + 5000)
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'रोकें' }).waitFor()
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'चलाएँ' }).waitFor()
    await page.getByLabel('भाषा').selectOption('en')
    await page.getByRole('heading', { name: 'Recording of an interview' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    expect(seen.errors).toEqual([])
    await page.context().close()
  })

  it('can be read and used by everybody, on a phone too', async () => {
    const { page } = await open()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.locator('#moments button').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(await smallTargets(page)).toEqual([])
    await page.context().close()
  })

  it('says which file is not in the folder, and what to do where the account is not', async () => {
    const picture = [...members.keys()].find((path) => path.startsWith('evidence/screenshot'))!
    const less = await unpacked(new Map([...members].filter(([path]) => path !== picture)))
    const { page } = await open(less)
    await page.getByText(`This file is not in the folder: ${picture}`).waitFor()
    await page.context().close()
    const none = await unpacked(new Map([...members].filter(([path]) => path !== 'play.js')))
    const bare = await open(none)
    await bare.page.getByText(/^The file play\.js is not beside this page/).waitFor()
    await bare.page.context().close()
    await Promise.all([less, none].map((one) => rm(one, { recursive: true })))
  })

  it('may load nothing from elsewhere, whatever were to run in it', async () => {
    const { page } = await open()
    const refused = await page.evaluate<string[]>(`new Promise((done) => {
      const broken = []
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        broken.push(effectiveDirective)
        if (broken.length === 3) done(broken.sort())
      })
      fetch('https://example.org/').catch(() => undefined)
      const add = (tag, own) => document.body.append(Object.assign(document.createElement(tag), own))
      add('img', { src: 'https://example.org/x.png' })
      add('script', { textContent: 'document.title = "ran"' })
    })`)
    expect(refused).toEqual(['connect-src', 'img-src', 'script-src-elem'])
    await page.context().close()
  })

  it('is sealed with the rest: whoever changes it, its account or a picture is named by both verifiers', async () => {
    const key = keyOf(server)
    expect(await verdictOf(members, ['--key', key])).toMatchObject({ code: 0, faults: [] })
    const verifier = await openVerifier(browser)
    expect((await verifier.verdictOf(members, { key })).faults).toEqual([])
    const picture = [...members.keys()].find((path) => path.startsWith('evidence/screenshot'))!
    for (const path of ['play.html', 'play.js', picture]) {
      const bytes = Buffer.from(members.get(path)!)
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 3) ^ 1, bytes.length - 3)
      const changed = new Map([...members, [path, bytes]])
      expect((await verdictOf(changed, ['--key', key])).named).toContain(`part_changed ${path}`)
      expect((await verifier.verdictOf(changed, { key })).named).toContain(`part_changed ${path}`)
    }
    await verifier.close()
  })

  it('repeats no words that were said', () => {
    expect(members.get('transcript.jsonl')!.toString()).toContain('Sentence 1.')
    expect(members.get('play.js')!.toString()).not.toContain('Sentence')
  })
})
