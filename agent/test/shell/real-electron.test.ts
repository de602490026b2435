import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stageApp } from '../../build/stage-app.ts'
import type { AgentBridge } from '../../src/shared/ipc/channels.ts'
import type { WindowState } from '../../src/shared/ipc/window-state.ts'
import { World } from '../end-to-end/world.ts'
import { until } from '../test-support/until.ts'

/*
 * The application in the real Electron, against the real server, on a machine that has both a display and Electron's
 * binary: `ELECTRON_E2E=1 npm test -- agent/test/shell/real-electron.test.ts`. ELECTRON_PATH names the binary; otherwise the
 * one that `electron` fetched is taken. Without them it is skipped, which is why no other test leans on it.
 */
const wanted = Boolean(process.env['ELECTRON_E2E'])
const names: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}
const fetched = resolve(import.meta.dirname, '../../node_modules/electron/dist', names[process.platform] ?? 'electron')
const executablePath = process.env['ELECTRON_PATH'] ?? fetched
const possible = wanted && existsSync(executablePath)
if (!possible) {
  const why = wanted ? `no Electron at ${executablePath}` : 'set ELECTRON_E2E=1 where Electron and a display are'
  console.warn(`\n*** SKIPPED: the application in the real Electron: ${why} ***\n`)
}

type AgentWindow = typeof globalThis & { agent: AgentBridge }

let folder: string
let app: ElectronApplication | undefined

const launch = async (...args: string[]): Promise<Page> => {
  const staged = await stageApp(join(folder, 'stage'), { platform: process.platform, archs: [process.arch] })
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const fakes = ['--use-fake-device-for-media-stream', `--user-data-dir=${join(folder, 'data')}`]
  app = await _electron.launch({ executablePath, args: [...root, ...fakes, staged.appDir, ...args] })
  const page = await app.firstWindow()
  await page.waitForLoadState()
  return page
}
const state = (page: Page): Promise<WindowState> =>
  page.evaluate(() => (globalThis as AgentWindow).agent.call('state.read', {}))
const reaches = (page: Page, ...screens: WindowState['screen'][]): Promise<void> =>
  until(`the screen ${screens.join(' or ')}`, async () => screens.includes((await state(page)).screen), 60_000)

describe.runIf(possible)('the application in the real Electron [needs Electron]', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'real-electron-'))
  })
  afterEach(async () => {
    await app?.close()
    app = undefined
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  it('shows the page of the code, with a page that has neither Node nor network', async () => {
    const page = await launch()
    expect(page.url()).toBe('app://window/index.html')
    expect(await state(page)).toMatchObject({ screen: 'code' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const found = await page.evaluate(async () => ({
      node:
        typeof (globalThis as Record<string, unknown>)['process'] +
        typeof (globalThis as Record<string, unknown>)['require'],
      network: await fetch('https://example.org').then(
        () => true,
        () => false,
      ),
    }))
    expect(found).toEqual({ node: 'undefinedundefined', network: false })
  })

  it('goes from a link to the end of a session on a real server', async () => {
    const world = await World.start()
    try {
      const { data: session } = await world.api.call('sessions.create', { body: { externalId: 'e2e' } })
      const { data } = await world.api.call('sessions.joinLinks.create', {
        params: { id: session.id },
        body: { role: 'candidate' },
      })
      const server = world.serverUrl
      const page = await launch(`integrity-agent://join?code=${data.joinCode}&server=${encodeURIComponent(server)}`)
      await until('the code of the link', async () => (await state(page)).code === data.joinCode.replace('-', ''))
      const call = (name: string, input: object = {}) =>
        page.evaluate(([name, input]) => (globalThis as AgentWindow).agent.call(name as 'check.done', input as never), [
          name,
          input,
        ] as const)
      await call('session.join', { code: data.joinCode, server })
      await reaches(page, 'consent')
      const { document } = (await state(page)).consent!
      const answers = Object.fromEntries(document.lanes.map(({ lane }) => [lane, true]))
      await call('consent.agree', { hash: document.hash, answers })
      await reaches(page, 'check')
      await call('check.done')
      await reaches(page, 'recording')
      await until('something was sent', async () => (await state(page)).sent.items > 0, 60_000)
      await call('recording.end')
      await reaches(page, 'done')
      expect((await state(page)).unsent).toMatchObject({ items: 0, events: 0 })
    } finally {
      await world.stop()
    }
  })
})
