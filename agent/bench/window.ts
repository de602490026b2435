import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import type { Bench, Figure } from '../../server/bench/harness.ts'
import { fileKeyStore } from '../src/core/spool/key-store.ts'
import { DesktopAgent } from '../src/desktop/desktop-agent.ts'
import { type CommandName, commands } from '../src/shared/ipc/channels.ts'
import { attachBridge } from '../test/renderer/bridge.ts'
import { type BuiltWindow, buildWindow } from '../test/renderer/built-window.ts'
import { chromiumPath } from '../test/renderer/window-under-test.ts'
import { nearestBelow, treeByProcess, treeCpuSeconds, treeMemory } from './process-tree.ts'
import { startRecordingPage } from './recording-page.ts'
import { openStudio } from './studio.ts'

const measuredSeconds = Number(process.env['BENCH_AGENT_SECONDS'] ?? 60)
const warmUpSeconds = 10
/** For building the page, starting and stopping. */
const spareSeconds = 120
const memoryEveryMs = 2000
const starts = 5
const goalStartMs = 400

/** From nothing but a running browser: the core on an empty folder, and the window up to its first heading. */
const startOnce = async (browser: Browser, window: BuiltWindow): Promise<number> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-window-'))
  const context = await browser.newContext({ viewport: { width: 900, height: 640 }, locale: 'en' })
  const page = await context.newPage()
  let core: DesktopAgent | undefined
  await attachBridge(page, async (name: CommandName, input: unknown) => {
    const handler = core?.handlers[name] as (input: unknown) => Promise<unknown>
    return commands[name].output.parse(await handler(commands[name].input.parse(input)))
  })
  try {
    const started = performance.now()
    core = await DesktopAgent.open({
      dataDir,
      version: '1.0.0',
      platform: process.platform,
      locale: 'en',
      ports: {
        keyStore: fileKeyStore(dataDir),
        permissions: { status: () => 'unknown', ask: async () => undefined, openSettings: async () => false },
        window: { hide: () => undefined, quit: () => undefined },
        browser: { open: async () => undefined },
      },
    })
    await page.goto(window.url)
    await page.getByRole('heading').first().waitFor()
    return performance.now() - started
  } finally {
    await context.close()
    await core?.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const startFigures = async (): Promise<Figure[]> => {
  const window = await buildWindow()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    const took: number[] = []
    for (let i = 0; i < starts; i += 1) took.push(await startOnce(browser, window))
    const median = took.toSorted((a, b) => a - b)[Math.floor(starts / 2)] ?? Number.NaN
    return [
      {
        name: `from starting the core on an empty folder to the window's first heading, median of ${starts}`,
        value: `${median.toFixed(0)} ms`,
        goal: `≤ ${goalStartMs} ms`,
        met: median <= goalStartMs,
      },
      { name: 'the first of them, with nothing warm', value: `${(took[0] ?? Number.NaN).toFixed(0)} ms` },
    ]
  } finally {
    await browser.close()
    await window.close()
  }
}

/** This process, whose children (the browser, and the desktop that is recorded) are not its own. */
const ownCpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

const recordingFigures = async (): Promise<Figure[]> => {
  const studio = await openStudio(warmUpSeconds + measuredSeconds + spareSeconds)
  const page = await startRecordingPage(studio).catch(async (error: unknown) => {
    await studio.stop()
    throw error
  })
  try {
    const pid = nearestBelow(process.pid, /^chrom/)
    if (pid === undefined) throw new Error("the browser's process is not found")
    await delay(warmUpSeconds * 1000)
    const before = { at: performance.now(), browser: treeCpuSeconds(pid), own: ownCpuSeconds() }
    const memory = { browser: 0, own: 0 }
    while (performance.now() - before.at < measuredSeconds * 1000) {
      await delay(Math.min(memoryEveryMs, measuredSeconds * 1000))
      memory.browser = Math.max(memory.browser, treeMemory(pid).tree)
      memory.own = Math.max(memory.own, treeMemory(process.pid).root)
    }
    const seconds = (performance.now() - before.at) / 1000
    const share = (used: number): string => `${((used / seconds) * 100).toFixed(1)} %`
    if (process.env['BENCH_PROF'])
      for (const { name, cpuSeconds } of treeByProcess(pid)) console.error(`  ${cpuSeconds.toFixed(2)} s ${name}`)
    const others = Object.keys(page.captured()).filter((driver) => !driver.startsWith('web-'))
    if (others.length > 0) throw new Error(`not recorded by the page: ${others.join(', ')}`)
    return [
      {
        name: 'processor time of the browser that records, share of one core',
        value: share(treeCpuSeconds(pid) - before.browser),
      },
      { name: 'processor time of Node beside it, share of one core', value: share(ownCpuSeconds() - before.own) },
      { name: 'memory of the browser (shared pages divided)', value: `${memory.browser.toFixed(1)} MiB` },
      { name: 'resident memory of Node, with the bench in it', value: `${memory.own.toFixed(1)} MiB` },
    ]
  } finally {
    await page.stop()
    await studio.stop()
  }
}

export const window: Bench = {
  name: 'Window and capture page',
  what: `How long the application takes from its core to the first heading of its built window, in a browser that runs already (Electron itself is not measured); and what recording by the hidden page costs: four lanes of the default policy on a 1920×1080 desktop with a moving picture, a film for a camera and a tone in both sounds, into the spool, over ${measuredSeconds} s after ${warmUpSeconds} s. The browser is Chromium with all its processes, without a graphics card; Node carries the bench's WebSocket in place of Electron's message port.`,
  async run(): Promise<Figure[]> {
    return [...(await startFigures()), ...(await recordingFigures())]
  },
}
