import { cpSync, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Rolldown } from 'vite'
import { type InstalledPackage, packageFolderOf } from './licences.ts'
import { mainConfig, processEntries } from './main.config.ts'
import { preloadConfig } from './preload.config.ts'
import { readManifest } from './shipped-packages.ts'

const agent = resolve(import.meta.dirname, '..')

export interface BuildOptions {
  /** Gets `main/`, `preload/`, `renderer/`, `capture-page/` and `icons/`; it is emptied before. */
  readonly outDir: string
}

type Built = Awaited<ReturnType<typeof build>>

const modulesOf = (built: Built): string[] =>
  [built]
    .flat()
    .flatMap((result) => ('output' in result ? result.output : []))
    .flatMap((file) => (file.type === 'chunk' ? (file as Rolldown.OutputChunk).moduleIds : []))

/** Builds the main process and those it starts, and gives the modules in them. */
const buildProcesses = async (outDir: string): Promise<string[]> => {
  const modules: string[] = []
  for (const name of Object.keys(processEntries) as (keyof typeof processEntries)[]) {
    modules.push(...modulesOf(await build(mainConfig(outDir, name))))
  }
  return modules
}

/** Builds both preloads. */
export const buildPreloads = async (outDir: string): Promise<string[]> => {
  const modules: string[] = []
  for (const name of ['window-preload', 'capture-preload'] as const) {
    modules.push(...modulesOf(await build(preloadConfig(outDir, name))))
  }
  return modules
}

const buildPage = async (config: string, outDir: string): Promise<string[]> => {
  const configFile = join(agent, 'build', config)
  if (!existsSync(configFile)) throw new Error(`${config} is missing: a page of the application cannot be built`)
  return modulesOf(await build({ configFile, logLevel: 'warn', build: { outDir, emptyOutDir: true } }))
}

/** Builds the whole application. Gives the packages of which something is in the bundles, each once. */
export const buildApp = async ({ outDir }: BuildOptions): Promise<InstalledPackage[]> => {
  rmSync(outDir, { recursive: true, force: true })
  const modules = [
    ...(await buildProcesses(join(outDir, 'main'))),
    ...(await buildPreloads(join(outDir, 'preload'))),
    ...(await buildPage('renderer.config.ts', join(outDir, 'renderer'))),
    ...(await buildPage('capture-page.config.ts', join(outDir, 'capture-page'))),
  ]
  cpSync(join(agent, 'resources/icons'), join(outDir, 'icons'), { recursive: true })
  const folders = new Set(modules.map(packageFolderOf).filter((folder) => folder !== undefined))
  const packages = [...folders].map((folder) => {
    const { name, version, license } = readManifest(folder)
    return { name, version, licence: license, folder }
  })
  return packages.sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
