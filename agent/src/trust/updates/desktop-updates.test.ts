import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { updateView } from '../../shared/ipc/window-state.ts'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { parsePublicKey } from '../minisign/minisign.ts'
import { type DocumentService, startDocumentService } from '../minisign/test-support/document-service.ts'
import { buildBuild, buildManifest, buildPolicy } from '../minisign/test-support/documents.ts'
import { makeSigner } from '../minisign/test-support/signer.ts'
import type { PinMismatch } from '../pinning/pins.ts'
import { createDesktopUpdates, type DesktopUpdates, type DesktopUpdatesOptions } from './desktop-updates.ts'
import { createInstaller, type Installed } from './install.ts'
import { type FileServer, startFileServer } from './test-support/file-server.ts'

const bytes = randomBytes(50_000)
const signer = makeSigner()
let folder: string
let clock: ManualClock
let service: DocumentService
let files: FileServer
let installs: Installed[]
let mismatches: PinMismatch[]
const started: DesktopUpdates[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'desktop-updates-'))
  clock = new ManualClock()
  service = await startDocumentService()
  files = await startFileServer(bytes)
  ;[installs, mismatches] = [[], []]
  await writeFile(join(folder, 'running.AppImage'), 'the old one')
})
afterEach(async () => {
  for (const { controller } of started.splice(0)) await controller.stop()
  await service.close()
  await files.close()
  await rm(folder, { recursive: true, force: true })
})

const make = (overrides: Partial<DesktopUpdatesOptions> = {}): DesktopUpdates => {
  const updates = createDesktopUpdates({
    dir: join(folder, 'updates'),
    version: '1.0.0',
    clock,
    random: () => 0.5,
    keys: [parsePublicKey(signer.publicKey)],
    platform: 'linux',
    arch: 'x64',
    installer: createInstaller('linux', { appImage: join(folder, 'running.AppImage') }),
    onInstalled: (installed) => installs.push(installed),
    onMismatch: (mismatch) => mismatches.push(mismatch),
    onTrouble: (trouble) => expect.unreachable(trouble),
    ...overrides,
  })
  started.push(updates)
  return updates
}

const offer = (minimumVersion = '1.0.0') => {
  const build = buildBuild({
    url: `${files.url}/agent.AppImage`,
    sizeBytes: bytes.length,
    sha512: createHash('sha512').update(bytes).digest('hex'),
  })
  return buildManifest(clock, { latest: { version: '1.1.0' }, minimumVersion, builds: [build] })
}

const running = (): Promise<string> => readFile(join(folder, 'running.AppImage'), 'utf8')
const untilReady = ({ controller }: DesktopUpdates): Promise<void> =>
  until('the update to be ready', () => controller.view().state === 'ready')

describe('what the window shows of updates', () => {
  it('goes from nothing to ready, in the shape that the window takes', async () => {
    service.publish(offer(), signer)
    const updates = make()
    const views = [updates.controller.view()]
    updates.controller.onChange(() => views.push(updates.controller.view()))
    await updates.controller.check(service.url)
    await untilReady(updates)
    expect([...new Set(views.map(({ state }) => state))]).toEqual(['none', 'available', 'downloading', 'ready'])
    for (const view of views) expect(updateView.strict().parse(view)).toEqual(view)
    expect(updates.controller.view()).toEqual({ state: 'ready', version: '1.1.0' })
  })

  it('knows right after the first look whether the running version is supported', async () => {
    service.publish(offer('1.0.1'), signer)
    files.silentAfter = 10
    const updates = make()
    await updates.controller.check(service.url)
    expect(updates.controller.view()).toMatchObject({ minimum: '1.0.1' })
    service.publish({ ...offer('2.0.0'), sequence: 2, builds: [] }, signer)
    const other = make({ dir: join(folder, 'other') })
    await other.controller.check(service.url)
    expect(other.controller.view()).toEqual({ state: 'below_minimum', minimum: '2.0.0' })
  })

  it('says why an update was not believed', async () => {
    service.publish(offer(), makeSigner())
    const updates = make()
    await updates.controller.check(service.url)
    const detail = expect.stringContaining('does not know')
    expect(updates.controller.view()).toEqual({ state: 'refused', detail })
  })

  it('is of the service that was asked last, and numbers of one do not count for another', async () => {
    service.publish({ ...offer(), sequence: 9 }, signer)
    const second = await startDocumentService()
    try {
      second.publish({ ...offer('3.0.0'), sequence: 1, builds: [] }, signer)
      const updates = make()
      await updates.controller.check(service.url)
      await untilReady(updates)
      await updates.controller.check(second.url)
      expect(updates.controller.view()).toEqual({ state: 'below_minimum', minimum: '3.0.0' })
      await updates.controller.stop()
    } finally {
      await second.close()
    }
  })

  it('is nothing when the service is not there, and the start does not wait for it', async () => {
    const troubles: string[] = []
    const updates = make({ onTrouble: (trouble) => troubles.push(trouble) })
    await updates.controller.check('http://127.0.0.1:1')
    expect(updates.controller.view()).toEqual({ state: 'none' })
    expect(troubles.length).toBeGreaterThan(0)
  })
})

describe('installing', () => {
  it('puts a ready update in place when the candidate asks, and tells the shell', async () => {
    service.publish(offer(), signer)
    const updates = make()
    expect(await updates.controller.install()).toBe(false)
    await updates.controller.check(service.url)
    await untilReady(updates)
    expect(await updates.controller.install()).toBe(true)
    expect(installs).toEqual(['replaced'])
    expect(await running()).toBe(bytes.toString())
  })

  it('happens as the program closes, and never while a session is recorded', async () => {
    service.publish(offer(), signer)
    const updates = make()
    await updates.controller.check(service.url)
    await untilReady(updates)
    updates.setRecording(true)
    expect(await updates.controller.install()).toBe(false)
    await updates.installOnQuit()
    expect(await running()).toBe('the old one')
    updates.setRecording(false)
    await updates.installOnQuit()
    expect(await running()).toBe(bytes.toString())
    expect(installs).toEqual([])
  })

  it('that fails is told, and the program that is there goes on', async () => {
    service.publish(offer(), signer)
    const troubles: string[] = []
    const installer = createInstaller('linux', { appImage: join(folder, 'gone', 'agent.AppImage') })
    const updates = make({ installer, onTrouble: (trouble) => troubles.push(trouble) })
    await updates.controller.check(service.url)
    await untilReady(updates)
    expect(await updates.controller.install()).toBe(false)
    await updates.installOnQuit()
    expect(troubles).toHaveLength(2)
    expect(updates.controller.view().state).toBe('ready')
  })
})

describe('the way to the service', () => {
  it('is held to the pins of the last run before the first request', async () => {
    const host = new URL(service.url).hostname
    // Loopback http has nothing to pin, so another host that is not there stands for the service.
    const pins = [host, 'interviews.invalid'].map((name) => ({ host: name, spkiSha256: [`${'A'.repeat(43)}=`] }))
    service.publish(buildPolicy(clock, { pinning: { enforced: true, pins } }), signer)
    const first = make()
    const client = createClient({ baseUrl: service.url, fetch: first.fetchFor(service.url) })
    await client.call('updates.securityPolicy')
    const isPinned = (updates: DesktopUpdates): Promise<boolean> =>
      updates
        .fetchFor(service.url)('http://interviews.invalid', {})
        .then(
          () => false,
          (error: unknown) => (error as { fault?: unknown }).fault === 'not_encrypted',
        )
    await until('the policy to be known', () => isPinned(first))
    await first.controller.stop()
    const next = make()
    expect(await isPinned(next)).toBe(true)
    expect(mismatches.length).toBeGreaterThan(0)
  })

  it('looks for updates of whichever service a session is with', async () => {
    service.publish(offer('1.0.1'), signer)
    const updates = make()
    updates.fetchFor(service.url)
    await until('the minimum', () => updates.controller.view().minimum === '1.0.1')
  })
})
