import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packApp } from '../../build/pack-app.ts'
import { type StagedApp, stageApp } from '../../build/stage-app.ts'
import { makeStubElectron } from './stub-electron.ts'

// Electron's own binary is not needed: what is packed is made with a stand-in for it and looked into.
export const onLinux = process.platform === 'linux'
if (!onLinux) console.warn('\n*** SKIPPED: the packaged application. It is packed for Linux, on Linux ***\n')

/** The application as it is packed for this Linux. */
export interface PackedApp {
  /** Where a test may put its own. */
  readonly folder: string
  readonly staged: StagedApp
  /** What `electron-builder` made: the binary, and what is beside it. */
  readonly linux: string
  readonly resources: string
  readonly asar: string
  /** Beside the archive, what cannot be loaded from within it. */
  readonly unpacked: string
  remove(): Promise<void>
}

export const packForLinux = async (): Promise<PackedApp> => {
  const folder = await mkdtemp(join(tmpdir(), 'packaged-'))
  const electronDist = await makeStubElectron(join(folder, 'electron'))
  const staged = await stageApp(join(folder, 'stage'), { platform: 'linux', archs: [process.arch] })
  const speechModel = join(folder, 'a-model')
  await mkdir(speechModel)
  await writeFile(join(speechModel, 'tokens.txt'), 'a 1')
  await packApp({ staged, outDir: join(folder, 'out'), electronDist, speechModel, dirOnly: true, platform: 'linux' })
  const linux = join(folder, 'out/linux-unpacked')
  const resources = join(linux, 'resources')
  const asar = join(resources, 'app.asar')
  const remove = () => rm(folder, { recursive: true, force: true })
  return { folder, staged, linux, resources, asar, unpacked: `${asar}.unpacked`, remove }
}
