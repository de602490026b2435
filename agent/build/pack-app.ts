import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Arch, build, type Configuration, Platform } from 'electron-builder'
import { packagePublisher } from './publishing.ts'
import { readManifest } from './shipped-packages.ts'
import type { StagedApp } from './stage-app.ts'

const agent = resolve(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

export const packagingConfig = require('../electron-builder.config.cjs') as Configuration
export const electronVersion = readManifest(resolve(agent, 'node_modules/electron')).version

export interface PackOptions {
  readonly staged: Pick<StagedApp, 'appDir' | 'licencesFile'>
  readonly outDir: string
  /** A folder with Electron's files; absent: electron-builder fetches them. */
  readonly electronDist?: string
  /** A folder with a model of speech, shipped as `speech-model` beside the archive. Absent: no transcript. */
  readonly speechModel?: string
  /** Only the unpacked application, and no installer. */
  readonly dirOnly?: boolean
  readonly platform?: NodeJS.Platform
}

const platforms: Partial<Record<NodeJS.Platform, Platform>> = {
  linux: Platform.LINUX,
  darwin: Platform.MAC,
  win32: Platform.WINDOWS,
}

/** Makes the packages of one platform from a staged application and gives their paths. */
export const packApp = async ({ staged, outDir, ...options }: PackOptions): Promise<string[]> => {
  const platform = platforms[options.platform ?? process.platform]
  if (!platform) throw new Error(`There are no packages for ${options.platform ?? process.platform}.`)
  const extras = [{ from: staged.licencesFile, to: 'THIRD-PARTY-LICENCES.txt' }]
  if (options.speechModel !== undefined) extras.push({ from: resolve(options.speechModel), to: 'speech-model' })
  return build({
    projectDir: agent,
    publish: 'never',
    targets: options.dirOnly ? platform.createTarget('dir', Arch.x64) : platform.createTarget(),
    config: {
      ...packagingConfig,
      directories: { ...packagingConfig.directories, app: staged.appDir, output: outDir },
      linux: { ...packagingConfig.linux, maintainer: packagePublisher(process.env).maintainer },
      extraResources: extras,
      electronVersion,
      ...(options.electronDist === undefined ? {} : { electronDist: options.electronDist }),
    },
  })
}
