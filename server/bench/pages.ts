import type { Client } from '@integrity/client/every-endpoint'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { systemClock } from '../src/platform/clock.ts'
import { findChromium, launchChromium } from '../test/test-support/browser.ts'
import { buildCompanionClient, newPhoneLink } from '../test/test-support/companion-pages.ts'
import { phoneToLive, roomToLive } from '../test/test-support/pages.ts'
import { buildRoomClient, cameraArgs, newRoom } from '../test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../test/test-support/server.ts'
import { type Bench, type Figure, median } from './harness.ts'

const rounds = 5
/** "Fast 3G" of Chrome's DevTools; bytes a second, milliseconds. */
const fast3g = { offline: false, downloadThroughput: 180_000, uploadThroughput: 84_375, latency: 562.5 }
/** Of an hour, so many times faster. */
const speed = 60
const mostGrowthMiB = 10

/** Bytes of the page as it travels: its scripts and styles stand in it. */
const scriptBytes = async (url: string): Promise<number> => {
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
  await response.arrayBuffer()
  return Number(response.headers.get('content-length'))
}

const withPage = async <T>(browser: Browser, work: (page: Page, cdp: CDPSession) => Promise<T>): Promise<T> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' })
  try {
    await context.grantPermissions(['camera'])
    const page = await context.newPage()
    return await work(page, await context.newCDPSession(page))
  } finally {
    await context.close()
  }
}

/** Presses the button of the other language as soon as it is there, and notes when the page has answered. */
const pressAtOnce = `new MutationObserver(() => {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'हिन्दी')
  if (button?.ariaPressed === 'true') window.answeredAt ??= performance.now()
  else if (button && !window.pressed) {
    window.pressed = true
    button.click()
  }
}).observe(document, { subtree: true, childList: true, attributes: true })`

/** Milliseconds from the address to the answer of a first press, with nothing in any cache; the median. */
const interactive = async (browser: Browser, slowerCpu: number, link: string): Promise<number> => {
  const took: number[] = []
  for (let round = 0; round < rounds; round++)
    took.push(
      await withPage(browser, async (page, cdp) => {
        await page.addInitScript(pressAtOnce)
        await cdp.send('Network.enable')
        await cdp.send('Network.emulateNetworkConditions', fast3g)
        await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowerCpu })
        await page.goto(link)
        await page.getByRole('button', { name: 'हिन्दी', pressed: true }).waitFor()
        return page.evaluate<number>('window.answeredAt')
      }),
    )
  return median(took)
}

const below = (name: string, value: number, goal: number, unit: string): Figure => ({
  name,
  value: `${unit === 'MiB' ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${unit}`,
  goal: `< ${goal.toLocaleString('en')} ${unit}`,
  met: value < goal,
})

/** Timers of the length of the product's intervals run faster; patience with the network and the camera stays. */
const hurry = `for (const name of ['setTimeout', 'setInterval']) {
  const real = window[name].bind(window)
  window[name] = (action, ms = 0, ...more) => {
    const interval = name === 'setInterval' || (ms >= 5000 && ms < 20000) || ms === 30000
    return real(action, interval ? ms / ${speed} : ms, ...more)
  }
}
// The room's timers run in a worker.
const post = Worker.prototype.postMessage
Worker.prototype.postMessage = function (message, ...more) {
  return post.call(this, message?.ms >= 5000 ? { ...message, ms: message.ms / ${speed} } : message, ...more)
}`

/** What the heap has grown by, after a collection at either end of an hour that takes a minute. */
const growth = (name: string, browser: Browser, link: string, toLive: (page: Page) => Promise<void>): Promise<Figure> =>
  withPage(browser, async (page, cdp) => {
    const used = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1024 ** 2
    }
    await page.addInitScript(hurry)
    await page.goto(link)
    await toLive(page)
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    let requests = 0
    page.on('request', () => (requests += 1))
    const before = await used()
    await new Promise((resolve) => setTimeout(resolve, 3_600_000 / speed))
    const grown = below(name, (await used()) - before, mostGrowthMiB, 'MiB')
    return { ...grown, value: `${grown.value}, ${requests} requests` }
  })

/** The pages behind links in e-mails. */
const linkFigures = async (browser: Browser, url: string): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const name of ['invitation', 'requests']) {
    const address = `${url}/${name}/`
    figures.push(
      below(`${name}: page with its scripts and styles, gzip`, (await scriptBytes(address)) / 1000, 80, 'kB'),
      below(`${name}: address to first press answered, fast 3G`, await interactive(browser, 1, address), 1_200, 'ms'),
    )
  }
  return figures
}

const measure = async (server: TestServer, api: Client, browser: Browser): Promise<Figure[]> => {
  const [companion, room] = [`${server.url}/companion/`, `${server.url}/room/`]
  const phone = await newPhoneLink(server, api, true)
  const device = await newRoom(server, api, 10)
  return [
    below('phone: page with its scripts and styles, gzip', (await scriptBytes(companion)) / 1000, 150, 'kB'),
    below(
      'phone: address to first press answered, fast 3G, a processor 4 times slower',
      await interactive(browser, 4, companion),
      2_000,
      'ms',
    ),
    below('room: page with its scripts and styles, gzip', (await scriptBytes(room)) / 1000, 80, 'kB'),
    below('room: address to first press answered, fast 3G', await interactive(browser, 1, room), 1_500, 'ms'),
    ...(await linkFigures(browser, server.url)),
    await growth('phone: heap after an hour of clips and previews', browser, phone.link, phoneToLive),
    await growth('room: heap after an hour of stills', browser, device.link, roomToLive),
  ]
}

export const pages: Bench = {
  name: 'Pages of phone, room and links',
  what: `Chromium without a cache, "Fast 3G" of Chrome's DevTools (1.44 Mbit/s, 562 ms), medians of ${rounds}; then an hour of live state in a minute (its intervals ${speed} times shorter), the heap after a collection.`,
  async run() {
    const chromium = findChromium('the bench of the pages')
    if (!chromium) throw new Error('the bench of the pages needs Chromium')
    buildRoomClient()
    buildCompanionClient()
    const server = await startServer({ overrides: { clock: systemClock } })
    const browser = await launchChromium(chromium, cameraArgs)
    try {
      return await measure(server, server.client(server.orgs[0].sandboxKey), browser)
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}
