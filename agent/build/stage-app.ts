import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { buildApp } from './build-app.ts'
import { type InstalledPackage, licenceProblems, licencesText } from './licences.ts'
import { packagePublisher } from './publishing.ts'
import { packagesToShip, readManifest } from './shipped-packages.ts'

const agent = resolve(import.meta.dirname, '..')

export interface Target {
  readonly platform: NodeJS.Platform
  /** Several for macOS, whose application holds both. */
  readonly archs: readonly string[]
}

export interface StagedApp {
  /** The folder that becomes app.asar. */
  readonly appDir: string
  readonly licencesFile: string
  readonly shipped: readonly InstalledPackage[]
  readonly bundled: readonly InstalledPackage[]
  /** What will not work in this package, in words. */
  readonly missing: readonly string[]
}

const sourceFolders = new Set(['deps', 'test', 'tests', 'docs', 'install', 'types', 'node_modules', 'examples'])
const kept =
  /\.(?:c?js|mjs|node|dylib|dll|so(?:\.[\d.]+)?)$|^package\.json$|^versions\.json$|^LICEN[CS]E|^NOTICE|^COPYING/i

/** Whether a file of a shipped package runs, or says what its licence is. */
const runs = (packageFolder: string, file: string, { platform, archs }: Target): boolean => {
  const path = relative(packageFolder, file).replaceAll('\\', '/')
  if (path === '') return true
  if (statSync(file).isDirectory()) return !sourceFolders.has(basename(file))
  // better-sqlite3 brings every platform's.
  if (path.startsWith('prebuilds/')) {
    return archs.some((arch) => new RegExp(`^prebuilds/${platform}(?:musl)?-${arch}\\.node$`).test(path))
  }
  if (/^(?:install|example)\.js$/.test(path)) return false
  return kept.test(basename(path)) || /^ffmpeg(?:\.exe)?$/.test(path)
}

/** What the packages that only some machines have installed are for. */
const missingParts = (shipped: readonly InstalledPackage[], { platform, archs }: Target): string[] => {
  const os = { win32: 'win', darwin: 'darwin', linux: 'linux' }[platform as string] ?? platform
  const has = (pattern: RegExp): boolean => shipped.some(({ name }) => pattern.test(name))
  const parts = archs.flatMap((arch) => [
    ...(has(new RegExp(`^@img/sharp-${platform}-${arch}$`)) ? [] : [`pictures (sharp for ${platform}-${arch})`]),
    ...(has(new RegExp(`^node-screenshots-${platform}-${arch}`))
      ? []
      : [`screens by node-screenshots (${platform}-${arch})`]),
    ...(has(new RegExp(`^sherpa-onnx-${os}-${arch}$`)) ? [] : [`the transcript (sherpa-onnx for ${os}-${arch})`]),
  ])
  const ffmpeg = shipped.find(({ name }) => name === 'ffmpeg-static')
  const program = platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'
  if (!ffmpeg || !existsSync(join(ffmpeg.folder, program))) {
    parts.push(
      'ffmpeg (ffmpeg-static was installed without its program; the one of the computer is used where there is one)',
    )
  }
  return parts
}

const copyShipped = (appDir: string, target: Target): InstalledPackage[] => {
  const shipped = packagesToShip(agent, realpathSync)
  for (const { name, folder } of shipped) {
    cpSync(folder, join(appDir, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter: (file) => runs(folder, file, target),
    })
  }
  return shipped
}

/** No dependencies: everything that is needed is in the folder already, and nothing shall be looked for. */
const appManifest = () => {
  const { version, license } = readManifest(agent)
  return {
    name: 'interview-integrity',
    version,
    description: 'Sends what a candidate has agreed to, while an interview runs.',
    license,
    author: packagePublisher(process.env).maintainer,
    homepage: packagePublisher(process.env).homepage,
    // The desktop entry's name: Linux tells by it whose window and whose links these are.
    desktopName: 'interview-integrity.desktop',
    type: 'module',
    main: 'main/main.js',
  }
}

/**
 * Builds the application and puts together what is packed: bundles, the packages that cannot be bundled, the licences.
 * @throws when a package has a licence that is not on the list
 */
export const stageApp = async (outDir: string, target: Target): Promise<StagedApp> => {
  const appDir = join(outDir, 'app')
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(appDir, { recursive: true })
  const bundled = await buildApp({ outDir: appDir })
  const shipped = copyShipped(appDir, target)
  writeFileSync(join(appDir, 'package.json'), `${JSON.stringify(appManifest(), null, 2)}\n`)
  const all = [...shipped, ...bundled]
  const problems = licenceProblems(all)
  if (problems.length > 0) throw new Error(`Licences:\n${problems.join('\n')}`)
  const licencesFile = join(outDir, 'THIRD-PARTY-LICENCES.txt')
  writeFileSync(licencesFile, licencesText(all))
  return { appDir, licencesFile, shipped, bundled, missing: missingParts(shipped, target) }
}
