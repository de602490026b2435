import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { InstalledPackage } from './licences.ts'

/**
 * Packages that cannot be bundled, since they bring machine code or a program, or look for files of their own
 * (node-record-lpcm16): they are shipped as they are, with what they need at run time.
 */
export const shippedPackages = [
  'better-sqlite3',
  'sharp',
  'node-screenshots',
  'sherpa-onnx-node',
  'ffmpeg-static',
  'node-record-lpcm16',
]

/** Needed to compile or to install, not to run. */
const notAtRunTime: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['node-addon-api'],
  'ffmpeg-static': ['@derhuerst/http-basic', 'env-paths', 'https-proxy-agent', 'progress'],
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Where Node would find `name` from `folder`: its own node_modules or one above. The links of pnpm are followed by the caller. */
const findPackage = (name: string, folder: string): string | undefined => {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (dirname(at) === at) return undefined
  }
}

/**
 * Every package to be shipped, each once: what is named above with its dependencies, and of the optional ones those that
 * are installed (each platform's binary is one). @throws when one that is needed is not installed, or two versions of one are
 */
export const packagesToShip = (agentFolder: string, realpath: (path: string) => string): InstalledPackage[] => {
  const found = new Map<string, InstalledPackage>()
  const visit = (name: string, from: string, optional: boolean): void => {
    const linked = findPackage(name, from)
    if (!linked) {
      if (optional) return
      throw new Error(`${name}, which the agent needs, is not installed`)
    }
    const folder = realpath(linked)
    const manifest = readManifest(folder)
    const known = found.get(name)
    if (known && known.version !== manifest.version) throw new Error(`two versions of ${name} would be shipped`)
    if (known) return
    found.set(name, { name, version: manifest.version, licence: manifest.license, folder })
    const unneeded = notAtRunTime[name] ?? []
    for (const next of Object.keys(manifest.dependencies ?? {})) {
      if (!unneeded.includes(next)) visit(next, folder, false)
    }
    for (const next of Object.keys(manifest.optionalDependencies ?? {})) visit(next, folder, true)
  }
  for (const name of shippedPackages) visit(name, resolve(agentFolder), false)
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
