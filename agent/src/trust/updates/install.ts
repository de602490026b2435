import { type ChildProcess, spawn } from 'node:child_process'
import { access, chmod, constants, copyFile, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDir } from '../../shared/durable-file.ts'
import { sha512Of } from './staged-file.ts'
import type { ReadyUpdate } from './update-state.ts'

/**
 * `replaced` the program's own file is the new one, from its next start; `installer_started` an installer runs by
 * itself and waits for this program to end; `handed_over` the candidate was shown the file and installs it.
 */
export type Installed = 'replaced' | 'installer_started' | 'handed_over'

/** Why nothing was installed; `message` is a sentence for people. The program that is there goes on working. */
export class InstallError extends Error {
  override readonly name = 'InstallError'
}

/** How an update is put in place on this kind of computer. To be called when the candidate quits. */
export interface InstallPort {
  /** With `reopen`, an installer that runs by itself starts the new version; otherwise that is the shell's. */
  install(update: ReadyUpdate, reopen?: boolean): Promise<Installed>
}

/** Starts a program that outlives this one; resolves once it runs. */
export type Launch = (command: string, args: readonly string[]) => Promise<void>

export interface InstallOptions {
  readonly launch?: Launch
  /** The AppImage that is running, from the variable APPIMAGE that its loader sets. */
  readonly appImage?: string | undefined
}

const launchDetached: Launch = (command, args) =>
  new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(command, args, { detached: true, stdio: 'ignore' })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })

const started = async (launch: Launch, command: string, args: readonly string[]): Promise<void> => {
  try {
    await launch(command, args)
  } catch (error) {
    throw new InstallError('The update could not be started. The program that is installed goes on working.', {
      cause: error,
    })
  }
}

const syncFile = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Linux: puts the new AppImage in the place of the running one, under its name. The one that runs keeps its file until
 * it ends (rename(2) leaves the open file alone).
 */
export const appImageInstaller = (appImage: string | undefined): InstallPort => ({
  async install({ path }) {
    if (appImage === undefined) {
      throw new InstallError('This program was installed by other means, so it cannot replace itself.')
    }
    const next = `${appImage}.new`
    try {
      await access(dirname(appImage), constants.W_OK)
      // A copy, as the staged file may be on another file system.
      await copyFile(path, next)
      await chmod(next, 0o755)
      await syncFile(next)
      await rename(next, appImage)
      await syncDir(dirname(appImage))
    } catch (error) {
      await rm(next, { force: true }).catch(() => undefined)
      throw new InstallError(`The update could not be put in the place of ${appImage}, which goes on working.`, {
        cause: error,
      })
    }
    return 'replaced'
  },
})

/** Windows: starts the NSIS installer, silent; it waits for the running program to end. Not run on Windows yet. */
const nsisInstaller = (launch: Launch): InstallPort => ({
  async install({ path }, reopen = false) {
    await started(launch, path, ['/S', '--updated', ...(reopen ? ['--force-run'] : [])])
    return 'installer_started'
  },
})

/** macOS: opens the disk image, or shows the archive, for the candidate to install. Not run on macOS yet. */
const handOver = (launch: Launch): InstallPort => ({
  async install({ path }) {
    await started(launch, '/usr/bin/open', path.endsWith('.dmg') ? [path] : ['-R', path])
    return 'handed_over'
  },
})

/** Refuses a file that is no longer the one that was fetched: another program may have written to it since. */
const checked = (port: InstallPort): InstallPort => ({
  async install(update, reopen) {
    if ((await sha512Of(update.path)) !== update.sha512) {
      throw new InstallError('The update on disk is not the one that was fetched. It will be fetched again.')
    }
    return port.install(update, reopen)
  },
})

/** The way of this platform; undefined where there is none. Checks the file's hash right before it is used. */
export const createInstaller = (
  platform: NodeJS.Platform,
  { launch = launchDetached, appImage = process.env['APPIMAGE'] }: InstallOptions = {},
): InstallPort | undefined => {
  switch (platform) {
    case 'linux':
      return checked(appImageInstaller(appImage))
    case 'win32':
      return checked(nsisInstaller(launch))
    case 'darwin':
      return checked(handOver(launch))
    default:
      return undefined
  }
}
