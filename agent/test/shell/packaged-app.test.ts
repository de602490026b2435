import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractAll, getRawHeader, listPackage } from '@electron/asar'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packApp, packagingConfig } from '../../build/pack-app.ts'
import { type StagedApp, stageApp } from '../../build/stage-app.ts'
import { type CommandName, commandChannel, commandNames } from '../../src/ipc/channels.ts'
import { until } from '../support/until.ts'
import { PackagedProcess } from './packaged-agent.ts'
import { makeStubElectron } from './stub-electron.ts'

const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium'].find((path) => existsSync(path))
if (!chromiumPath) console.warn('\n*** SKIPPED: the packed pages in a browser. Chromium is not installed ***\n')

interface ServedPage {
  readonly status: number
  readonly headers: Record<string, string>
  /** base64 */
  readonly body: string
}

// Electron's own binary is not needed: what is packed is made with a stand-in for it and looked into.
const onLinux = process.platform === 'linux'
if (!onLinux) console.warn('\n*** SKIPPED: the packaged application. It is packed for Linux, on Linux ***\n')

const byName = (a = '', b = ''): number => a.localeCompare(b, 'en')

let folder: string
let resources: string
let staged: StagedApp
let listed: string[]
const asar = (): string => join(resources, 'app.asar')
const unpacked = (): string => `${asar()}.unpacked`

beforeAll(async () => {
  if (!onLinux) return
  folder = await mkdtemp(join(tmpdir(), 'packaged-'))
  const electronDist = await makeStubElectron(join(folder, 'electron'))
  staged = await stageApp(join(folder, 'stage'), { platform: 'linux', archs: [process.arch] })
  const speechModel = join(folder, 'a-model')
  await mkdir(speechModel)
  await writeFile(join(speechModel, 'tokens.txt'), 'a 1')
  await packApp({ staged, outDir: join(folder, 'out'), electronDist, speechModel, dirOnly: true, platform: 'linux' })
  resources = join(folder, 'out/linux-unpacked/resources')
  listed = listPackage(asar(), { isPack: false }).map((path) => path.replaceAll('\\', '/'))
})
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
})

describe.runIf(onLinux)('app.asar', () => {
  it('holds the bundles, the pages, the preloads and the icons', () => {
    const needed = [
      '/package.json',
      '/main/main.js',
      '/main/sherpa-process.js',
      '/preload/window-preload.cjs',
      '/preload/capture-preload.cjs',
      '/renderer/index.html',
      '/capture-page/index.html',
      '/icons/icon.png',
      '/icons/tray-recording.png',
      '/icons/tray-recording@2x.png',
    ]
    for (const path of needed) expect(listed).toContain(path)
  })

  it('holds no source, test, map, or anything of the workspace', () => {
    const tops = new Set(listed.map((path) => path.split('/')[1]))
    expect([...tops].toSorted(byName)).toEqual([
      'capture-page',
      'icons',
      'main',
      'node_modules',
      'package.json',
      'preload',
      'renderer',
    ])
    expect(
      listed.filter(
        (path) => /\.(?:ts|tsx|mts|cts|map|md|cc|h|c|gyp|tsbuildinfo)$/i.test(path) && !/LICEN/i.test(path),
      ),
    ).toEqual([])
    expect(listed.filter((path) => /\/(?:test|tests|\.git|\.env|bench|docs)(?:\/|$)/.test(path))).toEqual([])
    const bundle = readFileSync(join(staged.appDir, 'main/main.js'), 'utf8')
    const found = (what: RegExp): string[] => bundle.match(what) ?? []
    expect(found(/sourceMappingURL|\bvitest\b/g)).toEqual([])
    // A package that looks for files beside itself, or loads what it names at run time, would not find it in a bundle.
    expect(found(/(?<![\w.])__dirname.{0,40}|(?:^|\W)__require\((?!").{0,40}/g)).toEqual([])
  })

  it('holds of node_modules what machine code needs, each package once, and not what is bundled', () => {
    const packages = new Set(
      listed.flatMap((path) => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? []),
    )
    expect([...packages].sort()).toEqual(staged.shipped.map(({ name }) => name).sort())
    expect(packages).toContain('better-sqlite3')
    for (const bundled of ['react', 'zod', 'ws', 'undici', 'electron', 'vite']) expect(packages).not.toContain(bundled)
  })

  it('stays within 25 MB', async () => {
    expect((await stat(asar())).size).toBeLessThan(25_000_000)
  })

  it('leaves machine code outside, for this platform alone, and nothing else', () => {
    const outside = listed.filter((path) => {
      const node = path
        .split('/')
        .slice(1)
        .reduce((at: Entry | undefined, name) => at?.files?.[name], header())
      return node?.unpacked === true && node.files === undefined
    })
    expect(outside.length).toBeGreaterThan(3)
    for (const path of outside) expect(path).toMatch(/\.(?:node|so(?:\.[\d.]+)?)$|\/ffmpeg$/)
    expect(listed.filter((path) => /\.(?:node|so|dylib|dll)$/.test(path)).sort()).toEqual(
      outside.filter((path) => /\.(?:node|so)$/.test(path)).sort(),
    )
    expect(listed.filter((path) => /darwin|win32/.test(path) && path.endsWith('.node'))).toEqual([])
  })

  it('says what it is and where it begins, and depends on nothing', () => {
    const manifest = JSON.parse(readFileSync(join(staged.appDir, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).toMatchObject({
      name: 'interview-integrity',
      version: '0.1.0',
      main: 'main/main.js',
      type: 'module',
    })
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).not.toHaveProperty('scripts')
  })
})

interface Entry {
  readonly files?: Record<string, Entry>
  readonly unpacked?: boolean
}
const header = (): Entry => getRawHeader(asar()).header as unknown as Entry

/** What electron-builder sets the switches with. */
interface FuseReader {
  getCurrentFuseWire(binary: string): Promise<Record<number, number>>
}

describe.runIf(onLinux)("Electron's switches", () => {
  it('are set in the binary that is shipped', async () => {
    const require = createRequire(createRequire(import.meta.resolve('electron-builder')).resolve('app-builder-lib'))
    const fuses = require('@electron/fuses') as FuseReader
    const wire = await fuses.getCurrentFuseWire(join(folder, 'out/linux-unpacked/interview-integrity'))
    const [off, on] = [48, 49]
    const names = [
      'RunAsNode',
      'CookieEncryption',
      'NodeOptions',
      'NodeCliInspect',
      'AsarIntegrity',
      'OnlyFromAsar',
      'BrowserSnapshot',
      'FilePrivileges',
    ]
    const states = Object.fromEntries(names.map((name, index) => [name, wire[index]]))
    expect(states).toEqual({
      RunAsNode: off,
      CookieEncryption: on,
      NodeOptions: off,
      NodeCliInspect: off,
      AsarIntegrity: on,
      OnlyFromAsar: on,
      // As the stand-in had it: nobody asked for another state.
      BrowserSnapshot: on,
      FilePrivileges: off,
    })
  })
})

describe.runIf(onLinux)('beside the archive', () => {
  it('is the model of speech that the packager gave, where the application looks for it', () => {
    expect(readFileSync(join(resources, 'speech-model/tokens.txt'), 'utf8')).toBe('a 1')
    expect(readFileSync(join(staged.appDir, 'main/main.js'), 'utf8')).toMatch(/process\.resourcesPath, "speech-model"/)
  })
})

describe.runIf(onLinux)('the licences', () => {
  it('are beside the application, with name, version and text of every package in it', () => {
    const text = readFileSync(join(resources, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
    const all = [...staged.shipped, ...staged.bundled]
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['better-sqlite3', 'sharp', 'zod', 'react', 'react-dom']),
    )
    for (const { name, version, licence } of all) {
      const section = text.split(`\n${name} ${version}\nLicence: ${licence}\n`)[1]?.split(/={80}/)[1] ?? ''
      expect(section.trim().length, `${name} ${version}`).toBeGreaterThan(300)
    }
  })

  it('of Electron and Chromium come with Electron', async () => {
    const app = join(folder, 'out/linux-unpacked')
    await expect(stat(join(app, 'LICENSE.electron.txt'))).resolves.toBeDefined()
    await expect(stat(join(app, 'LICENSES.chromium.html'))).resolves.toBeDefined()
  })
})

describe.runIf(onLinux)('the packed application', () => {
  let appDir: string
  let running: PackagedProcess | undefined
  const start = async (name: string, ...args: string[]): Promise<PackagedProcess> => {
    running = new PackagedProcess(appDir, join(folder, name), args)
    return running
  }
  beforeAll(() => {
    appDir = join(folder, 'extracted')
    extractAll(asar(), appDir)
  })

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
    const files = (await readdir(unpacked(), { recursive: true })).filter((path) => path.endsWith('.node'))
    // Alpine's is beside the others, and needs Alpine's C library.
    const here = files.filter((path) => !path.includes('musl')).map((path) => join(unpacked(), path))
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

describe('the configuration', () => {
  it('opens our links on every platform', () => {
    expect(packagingConfig.protocols).toEqual([expect.objectContaining({ schemes: ['integrity-agent'] })])
    expect(packagingConfig.linux?.desktop?.entry).toMatchObject({ MimeType: 'x-scheme-handler/integrity-agent;' })
    const script = readFileSync(join(import.meta.dirname, '../../resources/installer.nsh'), 'utf8')
    expect(script).toContain('Software\\Classes\\integrity-agent\\shell\\open\\command')
    expect(packagingConfig.nsis?.include).toBe('resources/installer.nsh')
  })

  it('makes an installer for Windows, a universal image for macOS, and AppImage and deb', () => {
    expect(packagingConfig.win?.target).toEqual([{ target: 'nsis', arch: ['x64'] }])
    expect(packagingConfig.mac?.target).toEqual([
      { target: 'dmg', arch: ['universal'] },
      { target: 'zip', arch: ['universal'] },
    ])
    expect(packagingConfig.linux?.target).toMatchObject([{ target: 'AppImage' }, { target: 'deb' }])
  })

  it('tells macOS what camera, microphone, screen and sound are for, under the hardened runtime', () => {
    const { hardenedRuntime, entitlements, extendInfo } = packagingConfig.mac!
    expect(hardenedRuntime).toBe(true)
    const keys = [
      'NSCameraUsageDescription',
      'NSMicrophoneUsageDescription',
      'NSScreenCaptureUsageDescription',
      'NSAudioCaptureUsageDescription',
    ]
    for (const key of keys) expect((extendInfo as Record<string, string>)[key]).toMatch(/if you agree/)
    const plist = readFileSync(join(import.meta.dirname, '../..', entitlements as string), 'utf8')
    for (const key of ['device.camera', 'device.audio-input', 'cs.allow-jit'])
      expect(plist).toContain(`com.apple.security.${key}`)
    expect(plist).not.toMatch(/disable-library-validation|allow-dyld|get-task-allow/)
  })
})
