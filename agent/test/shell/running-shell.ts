import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ShellOptions, startShell } from '../../src/shell/main/compose.ts'
import { until } from '../test-support/until.ts'
import { type BrowserWindow, electron, type FakeSession, type Tray } from './fake-electron.ts'
import { ScriptedCore } from './scripted-core.ts'

/** The shell, started on the fake Electron with a scripted core and two small pages. */
export interface RunningShell {
  readonly core: ScriptedCore
  readonly troubles: string[]
  readonly window: BrowserWindow
  readonly session: FakeSession
  readonly tray: Tray
  stop(): Promise<void>
}

export interface StartOptions {
  readonly core?: ScriptedCore
  readonly openCore?: ShellOptions['openCore']
  /** Before the shell starts. */
  readonly prepare?: () => void
}

export const makePages = async (folder: string): Promise<{ windowPage: string; capturePage: string }> => {
  const pages = { windowPage: join(folder, 'renderer'), capturePage: join(folder, 'capture-page') }
  for (const page of Object.values(pages)) {
    await mkdir(join(page, 'assets'), { recursive: true })
    await writeFile(join(page, 'index.html'), '<!doctype html><title>page</title>')
    await writeFile(join(page, 'assets/index.js'), 'void 0')
    await writeFile(join(page, 'assets/index.js.map'), '{}')
  }
  await writeFile(join(folder, 'secret.js'), 'not of a page')
  return pages
}

export const runShell = async ({
  core = new ScriptedCore(),
  openCore = core.open,
  prepare,
}: StartOptions = {}): Promise<RunningShell> => {
  const folder = await mkdtemp(join(tmpdir(), 'shell-'))
  electron.reset(join(folder, 'user-data'))
  prepare?.()
  const troubles: string[] = []
  const pages = await makePages(folder)
  const onTrouble = (trouble: string): void => void troubles.push(trouble)
  await startShell({ ...pages, openCore, preloads: '/preloads', icons: '/icons', onTrouble })
  return {
    core,
    troubles,
    get window() {
      return electron.windows[0]!
    },
    get session() {
      return electron.sessions[0]!
    },
    get tray() {
      return electron.trays[0]!
    },
    stop: async () => {
      core.question = 'none'
      if (!electron.quitted && electron.windows.length > 0) {
        const { app } = await import('./fake-electron.ts')
        app.quit()
        await until('it quits', () => electron.quitted)
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
