import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { extractAll } from '@electron/asar'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandName, commandChannel, commandNames } from '../../src/shared/ipc/channels.ts'
import { until } from '../test-support/until.ts'
import { PackagedProcess } from './packaged-agent.ts'
import { onLinux, type PackedApp, packForLinux } from './packed-app.ts'

const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium'].find((path) => existsSync(path))
if (!chromiumPath) console.warn('\n*** SKIPPED: the packed pages in a browser. Chromium is not installed ***\n')

interface ServedPage {
  readonly status: number
  readonly headers: Record<string, string>
  /** base64 */
  readonly body: string
}

describe.runIf(onLinux)('the packed application', () => {
  let packed: PackedApp
  let appDir: string
  let running: PackagedProcess | undefined
  const start = async (name: string, ...args: string[]): Promise<PackagedProcess> => {
    running = new PackagedProcess(appDir, join(packed.folder, name), args)
    return running
  }
  beforeAll(async () => {
    packed = await packForLinux()
    appDir = join(packed.folder, 'extracted')
    extractAll(packed.asar, appDir)
  })
  afterAll(() => packed?.remove())

  it('starts with nothing but what is packed: the core opens its database and waits for a code', async () => {
    const app = await start('first')
    expect(await app.line()).toEqual({ started: true })
    expect(await app.state()).toMatchObject({
      screen: 'code',
      version: '1.2.3',
      keyProtection: 'os_key_store',
      platform: 'linux',
    })
    expect(((await app.ask('channels')) as string[]).sort()).toEqual(commandNames.map(commandChannel).sort())
    await app.stop()
  })

  it('serves both built pages, and the files that they name', async () => {
    const app = await start('pages')
    await app.line()
    for (const [page, folder] of [
      ['window', 'renderer'],
      ['capture', 'capture-page'],
    ] as const) {
      const html = readFileSync(join(appDir, folder, 'index.html'), 'utf8')
      const named = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map((match) => `app://${page}/${match[1]}`)
      expect(named.length).toBeGreaterThan(0)
      const statuses = await app.ask('pages', [`app://${page}/index.html`, ...named])
      expect(new Set(statuses as number[])).toEqual(new Set([200]))
    }
    expect(await app.ask('pages', ['app://window/../main/main.js', 'app://window/package.json'])).toEqual([404, 404])
    await app.stop()
  })

  it.runIf(chromiumPath)(
    'shows its built pages under the policy they are served with, over the packed core',
    async () => {
      const app = await start('chromium')
      await app.line()
      const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
      try {
        for (const name of ['window', 'capture'] as const) {
          const page = await browser.newPage()
          const errors: string[] = []
          page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
          page.on('pageerror', (error) => errors.push(error.message))
          await page.exposeFunction('callCore', (command: CommandName, input: unknown) => app.command(command, input))
          await page.addInitScript(
            'globalThis.agent = { call: (name, input) => callCore(name, input), on: () => () => {} }',
          )
          await page.route('**/*', async (route) => {
            const { pathname } = new URL(route.request().url())
            const { body, ...answer } = (await app.ask('page', `app://${name}${pathname}`)) as ServedPage
            await route.fulfill({ ...answer, body: Buffer.from(body, 'base64') })
          })
          await page.goto(`https://${name}.example/index.html`, { waitUntil: 'networkidle' })
          if (name === 'window') await page.getByRole('heading', { level: 1 }).waitFor()
          // The browser asks for an icon by itself, which Electron does not.
          expect(errors.filter((error) => !/404/.test(error))).toEqual([])
          await page.close()
        }
      } finally {
        await browser.close()
      }
      await app.stop()
    },
  )

  it('takes a link of its first start and of a second one to the page of the code, and foreign ones nowhere', async () => {
    const link = (code: string) => `integrity-agent://join?code=${code}&server=https%3A%2F%2Finterviews.example.org`
    const app = await start('links', link('K7QF-2M9X'))
    await app.line()
    const shows = (code: string): Promise<void> =>
      until(`the code ${code}`, async () => (await app.state()).code === code)
    await shows('K7QF2M9X')
    expect(await app.state()).toMatchObject({ screen: 'code', server: 'https://interviews.example.org' })
    await app.ask('secondInstance', ['/opt/agent', 'https://elsewhere.example/?code=AAAA-2222'])
    await app.ask('secondInstance', ['/opt/agent', link('BBBB-2222')])
    await shows('BBBB2222')
    await app.stop()
  })

  it('ends at once as a second start', async () => {
    const app = await start('second', '--second')
    expect(await app.line()).toEqual({ quitted: true })
    await app.stop()
  })

  it('quits when its window is closed with nothing going on, and opens again with the same key', async () => {
    const app = await start('again')
    await app.line()
    await app.ask('closeWindow')
    expect(await app.line()).toEqual({ quitted: true })
    const next = await start('again')
    expect(await next.line()).toEqual({ started: true })
    expect(await next.state()).toMatchObject({ screen: 'code' })
    expect(await next.ask('seen')).toMatchObject({ errors: [] })
    await next.stop()
  })

  it('says so and ends when another one has the same folder open', async () => {
    const first = await start('shared')
    await first.line()
    await first.state()
    const second = await start('shared')
    // It may have come as far as a window first.
    const said = await second.line()
    expect('started' in said ? await second.line() : said).toEqual({ quitted: true })
    await second.stop()
    await first.stop()
  })

  it('brings machine code that loads: the database, pictures, displays and the transcript', async () => {
    const names = [
      'better-sqlite3',
      'sharp',
      'node-screenshots',
      'sherpa-onnx-node',
      'ffmpeg-static',
      'node-record-lpcm16',
    ]
    const load = `for (const name of ${JSON.stringify(names)}) { await import(name); console.log(name) }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', load], {
      cwd: appDir,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    for await (const chunk of child.stdout) text += String(chunk)
    expect(text.trim().split('\n')).toEqual(names)
  })

  it('brings machine code that finds its libraries in the folder beside the archive, where Electron loads it', async () => {
    const files = (await readdir(packed.unpacked, { recursive: true })).filter((path) => path.endsWith('.node'))
    // Alpine's is beside the others, and needs Alpine's C library.
    const here = files.filter((path) => !path.includes('musl')).map((path) => join(packed.unpacked, path))
    const load = `for (const path of ${JSON.stringify(here)}) { process.dlopen({ exports: {} }, path); console.log(path) }`
    const child = spawn(process.execPath, ['-e', load], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    for await (const chunk of child.stdout) text += String(chunk)
    expect(text.trim().split('\n')).toEqual(here)
    expect(here.length).toBeGreaterThan(3)
  })

  it("brings the speech engine's process, which starts and says what is wrong with a model", async () => {
    const child = spawn(process.execPath, [join(appDir, 'main/sherpa-process.js'), 'no model'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    for await (const chunk of child.stdout) text += String(chunk)
    expect(JSON.parse(text)).toMatchObject({ type: 'failed' })
  })

  it('brings recorders that find their parts', async () => {
    const load =
      "const { default: recorders } = await import('node-record-lpcm16/recorders/index.js'); console.log(typeof recorders.load('sox'))"
    const child = spawn(process.execPath, ['--input-type=module', '-e', load], {
      cwd: appDir,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    for await (const chunk of child.stdout) text += String(chunk)
    expect(text.trim()).toBe('function')
  })
})
