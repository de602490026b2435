import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { getRawHeader, listPackage } from '@electron/asar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packagingConfig } from '../../build/pack-app.ts'
import { readManifest } from '../../build/shipped-packages.ts'
import { onLinux, type PackedApp, packForLinux } from './packed-app.ts'

const byName = (a = '', b = ''): number => a.localeCompare(b, 'en')

let packed: PackedApp
let listed: string[]

beforeAll(async () => {
  if (!onLinux) return
  packed = await packForLinux()
  listed = listPackage(packed.asar, { isPack: false }).map((path) => path.replaceAll('\\', '/'))
})
afterAll(() => packed?.remove())

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
    const bundle = readFileSync(join(packed.staged.appDir, 'main/main.js'), 'utf8')
    const found = (what: RegExp): string[] => bundle.match(what) ?? []
    expect(found(/sourceMappingURL|\bvitest\b/g)).toEqual([])
    // A package that looks for files beside itself, or loads what it names at run time, would not find it in a bundle.
    expect(found(/(?<![\w.])__dirname.{0,40}|(?:^|\W)__require\((?!").{0,40}/g)).toEqual([])
  })

  it('holds of node_modules what machine code needs, each package once, and not what is bundled', () => {
    const packages = new Set(
      listed.flatMap((path) => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? []),
    )
    expect([...packages].sort()).toEqual(packed.staged.shipped.map(({ name }) => name).sort())
    expect(packages).toContain('better-sqlite3')
    for (const bundled of ['react', 'zod', 'ws', 'undici', 'electron', 'vite']) expect(packages).not.toContain(bundled)
  })

  it('stays within 25 MB', async () => {
    expect((await stat(packed.asar)).size).toBeLessThan(25_000_000)
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
    const manifest = JSON.parse(readFileSync(join(packed.staged.appDir, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >
    expect(manifest).toMatchObject({
      name: 'interview-integrity',
      version: readManifest(resolve(import.meta.dirname, '../../..')).version,
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
const header = (): Entry => getRawHeader(packed.asar).header as unknown as Entry

/** What electron-builder sets the switches with. */
interface FuseReader {
  getCurrentFuseWire(binary: string): Promise<Record<number, number>>
}

describe.runIf(onLinux)("Electron's switches", () => {
  it('are set in the binary that is shipped', async () => {
    const require = createRequire(createRequire(import.meta.resolve('electron-builder')).resolve('app-builder-lib'))
    const fuses = require('@electron/fuses') as FuseReader
    const wire = await fuses.getCurrentFuseWire(join(packed.linux, 'interview-integrity'))
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
    expect(readFileSync(join(packed.resources, 'speech-model/tokens.txt'), 'utf8')).toBe('a 1')
    expect(readFileSync(join(packed.staged.appDir, 'main/main.js'), 'utf8')).toMatch(
      /process\.resourcesPath, "speech-model"/,
    )
  })
})

describe.runIf(onLinux)('the licences', () => {
  it('are beside the application, with name, version and text of every package in it', () => {
    const text = readFileSync(join(packed.resources, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
    const all = [...packed.staged.shipped, ...packed.staged.bundled]
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['better-sqlite3', 'sharp', 'zod', 'react', 'react-dom']),
    )
    for (const { name, version, licence } of all) {
      const section = text.split(`\n${name} ${version}\nLicence: ${licence}\n`)[1]?.split(/={80}/)[1] ?? ''
      expect(section.trim().length, `${name} ${version}`).toBeGreaterThan(300)
    }
  })

  it('of Electron and Chromium come with Electron', async () => {
    const app = packed.linux
    await expect(stat(join(app, 'LICENSE.electron.txt'))).resolves.toBeDefined()
    await expect(stat(join(app, 'LICENSES.chromium.html'))).resolves.toBeDefined()
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
