import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { CDPSession, Page } from 'playwright-core'
import { findChromium, launchChromium } from '../test/test-support/browser.ts'
import { twoHourInterview } from '../test/test-support/two-hours.ts'
import { deskOwner, startDeskServer } from './desk-server.ts'
import { type Bench, type Figure, median, p95 } from './harness.ts'

const assets = new URL('../../desk/dist/assets/', import.meta.url)
/** Of the clock: 40 minutes of the interview. */
const playedMs = 600_000
const marks = 19_600
const mib = 2 ** 20

const shownAs = (ours: number, unit: string): string =>
  `${ours >= 100 ? Math.round(ours) : Math.round(ours * 10) / 10} ${unit}`

/** That nobody has set a goal for. */
const measured = (name: string, ours: number, unit: string): Figure => ({ name, value: shownAs(ours, unit) })

const atMost = (name: string, ours: number, most: number, unit: string): Figure => ({
  name,
  value: shownAs(ours, unit),
  goal: `≤ ${most} ${unit}`,
  met: ours <= most,
})

/** What travels of each script, kB. */
const sizes = (): Figure[] => {
  const all = readdirSync(assets).map((name) => ({
    name,
    kB: gzipSync(readFileSync(new URL(name, assets))).length / 1000,
  }))
  const of = (word: string) => all.filter(({ name }) => name.startsWith(word)).reduce((sum, { kB }) => sum + kB, 0)
  const rooms = all.filter(({ name }) => !name.startsWith('index-')).map(({ kB }) => kB)
  return [
    atMost('the first script, gzip', of('index-'), 150, 'kB'),
    atMost('the largest script of a room, gzip', Math.max(...rooms), 45, 'kB'),
    atMost('the player, gzip', of('review-player-'), 60, 'kB'),
  ]
}

const signIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Your e-mail address').focus()
  await page.keyboard.type(deskOwner.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(deskOwner.password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().waitFor()
}

const since = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The first list on a network of 1.6 Mbit/s with 150 ms, on a quarter of the processor. */
const firstList = async (page: Page, devtools: CDPSession, url: string): Promise<Figure> => {
  const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', network)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const took = await since(async () => {
    await page.goto(`${url}/desk/interviews`)
    await page.getByText('Two hours').first().waitFor()
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await devtools.send('Network.emulateNetworkConditions', {
    ...network,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: false })
  return atMost(
    'the first list can be read, throttled (1.6 Mbit/s, 150 ms, a quarter of the processor)',
    took / 1000,
    2.5,
    's',
  )
}

/** Tasks above 50 ms, of each page from its very begin. */
const keepLongTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(`window.longTasks = []
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longTasks.push(duration) })
      .observe({ type: 'longtask', buffered: true })`)

/** The longest since it was asked last, milliseconds; 0: none was above 50 ms. */
const longestTask = (page: Page): Promise<number> => page.evaluate('Math.max(0, ...window.longTasks.splice(0))')

/** Each frame it is looked whether what the player shows is there. */
const shown = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const stage = document.querySelector('.stage'), picture = stage?.querySelector('.front .shown')
      const is = stage && !stage.matches('.loading, .scrubbing') && (picture?.naturalWidth > 0 || stage.querySelector('.front .band'))
      if (is) resolve(true); else requestAnimationFrame(look)
    }
    look()
  })`)

const firstLook = async (page: Page, url: string, id: string): Promise<Figure[]> => {
  const took: number[] = []
  const tasks: number[] = []
  let asked = 0
  const count = (request: { url: () => string }) => {
    if (/\/v1\/.*(?:sessions|evidence)\//.test(request.url())) asked += 1
  }
  for (let turn = 0; turn < 5; turn += 1) {
    await page.goto(`${url}/desk/interviews`)
    await page.getByText('Two hours').first().waitFor()
    page.on('request', count)
    asked = 0
    took.push(await since(() => page.goto(`${url}/desk/review/${id}`).then(() => shown(page))))
    page.off('request', count)
    tasks.push(await longestTask(page))
  }
  return [
    atMost(
      'the first picture of a review of two hours, warm, with the load of the page, median of 5',
      median(took),
      400,
      'ms',
    ),
    atMost('requests for the interview until then', asked, 12, 'requests'),
    measured('the longest task until then (0: none above 50 ms), median of 5', median(tasks), 'ms'),
  ]
}

/** 40 places that nobody has been at, each from its release to its picture. */
const jumps = async (page: Page): Promise<Figure[]> => {
  await longestTask(page)
  const took = (await page.evaluate(`(async () => {
    const place = document.querySelector('.player .seek'), set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const took = []
    for (let n = 0; n < 40; n += 1) {
      set.call(place, String(((n * 0.618034) % 1) * place.max))
      place.dispatchEvent(new Event('input', { bubbles: true }))
      await frame()
      const began = performance.now()
      place.dispatchEvent(new Event('change', { bubbles: true }))
      await frame()
      for (let is = false; !is; ) {
        const stage = document.querySelector('.stage'), picture = stage.querySelector('.front .shown')
        is = !stage.matches('.loading, .scrubbing') && (picture?.naturalWidth > 0 || stage.querySelector('.front .band'))
        if (!is) await frame()
      }
      took.push(performance.now() - began)
    }
    return took
  })()`)) as number[]
  return [
    atMost('a jump over 40 places, p95', p95(took), 250, 'ms'),
    measured('the longest task of these jumps (0: none above 50 ms)', await longestTask(page), 'ms'),
  ]
}

const scrubbing = async (page: Page): Promise<Figure> => {
  await longestTask(page)
  await page.evaluate(`(async () => {
    const place = document.querySelector('.player .seek'), set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
    for (let n = 0; n < 300; n += 1) {
      set.call(place, String((n / 300) * place.max))
      place.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    place.dispatchEvent(new Event('change', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve, 500))
  })()`)
  return atMost(
    'the longest task while 20,000 marks are scrubbed (0: none above 50 ms)',
    await longestTask(page),
    50,
    'ms',
  )
}

/** At four times for ten minutes; a stall is that it waits for what it should show. */
const playing = async (page: Page, devtools: CDPSession): Promise<Figure[]> => {
  await page.getByLabel('Speed').selectOption('4')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.waitForTimeout(3000)
  const waited = (await page.evaluate(`(async () => {
    const until = performance.now() + ${playedMs}
    let waited = 0
    for (let before = performance.now(); before < until; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const now = performance.now()
      if (document.querySelector('.stage').matches('.loading, .failed')) waited += now - before
      before = now
    }
    return waited
  })()`)) as number
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return [
    atMost('waited in ten minutes of playing at four times', waited, 0, 'ms'),
    atMost('the heap after those ten minutes', usedSize / mib, 250, 'MiB'),
  ]
}

const run = async (): Promise<Figure[]> => {
  const chromium = findChromium('the bench of the desk')
  const server = await startDeskServer()
  const id = await twoHourInterview(server)
  const marked = await twoHourInterview({ ...server, marks })
  const browser = await launchChromium(chromium)
  try {
    const page = await browser.newPage({ locale: 'en-GB' })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await keepLongTasks(page)
    await page.goto(`${server.url}/desk/interviews`)
    await signIn(page)
    const figures = [...sizes(), await firstList(page, devtools, server.url)]
    figures.push(...(await firstLook(page, server.url, id)))
    figures.push(...(await jumps(page)), ...(await playing(page, devtools)))
    await page.goto(`${server.url}/desk/review/${marked}`)
    await shown(page)
    return [...figures, await scrubbing(page)]
  } finally {
    await browser.close()
    await server.stop()
  }
}

export const desk: Bench = {
  name: 'The desk',
  what: 'The pages of an organisation in Chromium, and the review of an interview of two hours with four sources, 300 gaps and 20,000 marks. Server, driver and browser share the machine.',
  run,
}
