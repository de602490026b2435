import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { appImageInstaller, createInstaller, InstallError } from './install.ts'
import type { ReadyUpdate } from './update-state.ts'

let folder: string
let update: ReadyUpdate
const next = '#!/bin/sh\necho "$@" > "$0.ran"\n'

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-'))
  const path = join(folder, 'agent-1.1.0-linux-x64.AppImage')
  await writeFile(path, next, { mode: 0o600 })
  const sha512 = createHash('sha512').update(next).digest('hex')
  update = { version: '1.1.0', path, platform: 'linux', sha512 }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const recordingLaunch = () => {
  const launched: string[][] = []
  const launch = async (command: string, args: readonly string[]): Promise<void> => {
    launched.push([command, ...args])
  }
  return { launched, launch }
}

describe('installing an AppImage', () => {
  it('puts it in the place of the running one, executable, and leaves nothing beside it', async () => {
    const place = join(folder, 'Applications')
    const appImage = join(place, 'Interview agent.AppImage')
    await mkdir(place)
    await writeFile(appImage, 'the old one', { mode: 0o755 })
    expect(await createInstaller('linux', { appImage })?.install(update)).toBe('replaced')
    expect(await readFile(appImage, 'utf8')).toBe(next)
    expect((await stat(appImage)).mode & 0o777).toBe(0o755)
    expect(await readdir(place)).toEqual(['Interview agent.AppImage'])
  })

  it('says so when the program was not started from one', async () => {
    await expect(appImageInstaller(undefined).install(update)).rejects.toThrow(/other means/)
  })

  it('leaves the running one alone when its folder is gone', async () => {
    const installer = createInstaller('linux', { appImage: join(folder, 'gone', 'agent.AppImage') })
    await expect(installer?.install(update)).rejects.toThrow(/goes on working/)
  })
})

describe('installing what was altered since it was fetched', () => {
  it('is refused on every platform, and nothing is started', async () => {
    const { launched, launch } = recordingLaunch()
    const appImage = join(folder, 'running.AppImage')
    await writeFile(appImage, 'the old one')
    await writeFile(update.path, 'another program')
    for (const platform of ['linux', 'win32', 'darwin'] as const) {
      const installer = createInstaller(platform, { launch, appImage })
      await expect(installer?.install(update)).rejects.toThrow(InstallError)
    }
    await rm(update.path)
    await expect(createInstaller('win32', { launch })?.install(update)).rejects.toThrow(InstallError)
    expect(launched).toEqual([])
    expect(await readFile(appImage, 'utf8')).toBe('the old one')
  })
})

describe('an installer that runs by itself', () => {
  it('is started silent on Windows, and opens the program again when that is asked', async () => {
    const { launched, launch } = recordingLaunch()
    const installer = createInstaller('win32', { launch })
    expect(await installer?.install(update)).toBe('installer_started')
    await installer?.install(update, true)
    expect(launched).toEqual([
      [update.path, '/S', '--updated'],
      [update.path, '/S', '--updated', '--force-run'],
    ])
  })

  it('is handed to the candidate on macOS: an image is opened, an archive shown', async () => {
    const { launched, launch } = recordingLaunch()
    const installer = createInstaller('darwin', { launch })
    const image = { ...update, path: join(folder, 'agent.dmg') }
    await writeFile(image.path, next)
    expect(await installer?.install(image)).toBe('handed_over')
    await installer?.install(update)
    expect(launched).toEqual([
      ['/usr/bin/open', image.path],
      ['/usr/bin/open', '-R', update.path],
    ])
  })

  it.skipIf(process.platform === 'win32')('is a process of its own, and one that cannot start is told', async () => {
    await expect(createInstaller('win32')?.install(update)).rejects.toThrow(/could not be started/)
    await chmod(update.path, 0o755)
    await createInstaller('win32')?.install(update)
    const ran = `${update.path}.ran`
    await until('the installer to run', async () => (await readFile(ran, 'utf8').catch(() => '')) === '/S --updated\n')
  })
})

it('is nothing where there is no way to install', () => {
  expect(createInstaller('freebsd')).toBeUndefined()
})
