// `npm run package`: the desktop agent's installers for this machine's platform, in agent/dist/packages.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packApp } from './pack-app.ts'
import { unsignedParts } from './publishing.ts'
import { stageApp } from './stage-app.ts'

const agent = resolve(import.meta.dirname, '..')
const loud = (line: string): void => console.error(`*** ${line}`)

/** Electron's files: named by ELECTRON_DIST, or fetched before by electron's own package; else electron-builder fetches. */
const electronDist = (): string | undefined => {
  const named = process.env['ELECTRON_DIST']
  const fetched = join(agent, 'node_modules/electron/dist')
  return named ?? (existsSync(join(fetched, 'version')) ? fetched : undefined)
}

const run = async (): Promise<void> => {
  const { platform } = process
  const archs = platform === 'darwin' ? ['x64', 'arm64'] : ['x64']
  const staged = await stageApp(join(agent, 'dist/stage'), { platform, archs })
  for (const part of staged.missing) loud(`NOT IN THE PACKAGE: ${part}`)
  for (const part of unsignedParts(platform, process.env)) loud(`NOT SIGNED: ${part}`)
  const speechModel = process.env['PACKAGE_SPEECH_MODEL']
  if (!speechModel)
    loud('NOT IN THE PACKAGE: a model of speech, so no transcript (set PACKAGE_SPEECH_MODEL to its folder)')
  const dist = electronDist()
  const given = { ...(dist ? { electronDist: dist } : {}), ...(speechModel ? { speechModel } : {}) }
  const outDir = join(agent, 'dist/packages')
  const made = await packApp({ staged, outDir, dirOnly: process.argv.includes('--dir'), ...given })
  for (const file of made.length > 0 ? made : [outDir]) console.log(file)
}

try {
  await run()
} catch (error) {
  loud(`NO PACKAGE WAS MADE: ${error instanceof Error ? error.message : String(error)}`)
  loud(
    "Electron's files and the makers of installers are fetched from GitHub when they are needed first. Where that cannot",
  )
  loud(
    'be reached, name a folder with Electron for this platform by ELECTRON_DIST, and add `-- --dir` for no installer.',
  )
  // At once: a download that is still being given up would set the code back.
  process.exit(1)
}
