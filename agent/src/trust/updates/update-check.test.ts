import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import type { UpdateBuild, UpdateManifestDocument } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { parsePublicKey } from '../minisign/minisign.ts'
import { fileNewestSeen } from '../minisign/newest-seen.ts'
import { readPublished } from '../minisign/published.ts'
import { startDocumentService } from '../minisign/test-support/document-service.ts'
import { buildBuild, buildManifest } from '../minisign/test-support/documents.ts'
import { makeSigner } from '../minisign/test-support/signer.ts'
import { downloadBuild } from './download.ts'
import { type FileServer, startFileServer } from './test-support/file-server.ts'
import { UpdateCheck, type UpdateCheckOptions } from './update-check.ts'
import type { UpdateState } from './update-state.ts'

const hour = 60 * 60 * 1000
const bytes = randomBytes(200_000)
const signer = makeSigner()
const removed = makeSigner()

/** A service on loopback that answers what the test says, and a check that reads it. */
const startWorld = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'update-check-'))
  const clock = new ManualClock()
  const files = await startFileServer(bytes)
  const service = await startDocumentService()
  const states: UpdateState[] = []
  const troubles: string[] = []
  const client = createClient({ baseUrl: service.url })
  const seen = fileNewestSeen(folder)
  const keys = [parsePublicKey(signer.publicKey)]
  const expected = { kind: 'update_manifest', app: 'desktop_agent', channel: 'stable' } as const
  const check = (overrides: Partial<UpdateCheckOptions> = {}): UpdateCheck =>
    new UpdateCheck({
      machine: { version: '1.0.0', platform: 'linux', arch: 'x64' },
      clock,
      random: () => 0.5,
      readManifest: (signal) => readPublished(client, expected, { clock, seen, keys, signal }),
      download: (build, signal, onProgress) =>
        downloadBuild(build, { dir: join(folder, 'updates'), signal, onProgress }),
      onState: (state) => states.push(state),
      onTrouble: (trouble) => troubles.push(trouble),
      ...overrides,
    })
  return {
    clock,
    files,
    asked: service.asked,
    states,
    troubles,
    check,
    answers: (instead: (response: ServerResponse) => void) => service.answers(instead),
    publish: (document: UpdateManifestDocument, by = signer) => {
      service.answers(undefined)
      service.publish(document, by)
    },
    close: async () => {
      await files.close()
      await service.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type World = Awaited<ReturnType<typeof startWorld>>
let world: World
const started: UpdateCheck[] = []

beforeEach(async () => {
  world = await startWorld()
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((check) => check.stop()))
  await world.close()
})

const start = (overrides: Partial<UpdateCheckOptions> = {}): UpdateCheck => {
  const check = world.check(overrides)
  started.push(check)
  check.start()
  return check
}

const build = (files: FileServer, overrides: Partial<UpdateBuild> = {}): UpdateBuild =>
  buildBuild({
    url: `${files.url}/agent.AppImage`,
    sizeBytes: bytes.length,
    sha512: createHash('sha512').update(bytes).digest('hex'),
    ...overrides,
  })

/** A manifest that offers 1.1.0. */
const offer = (overrides: Partial<UpdateManifestDocument> = {}): UpdateManifestDocument =>
  buildManifest(world.clock, { latest: { version: '1.1.0' }, builds: [build(world.files)], ...overrides })

const untilState = (check: UpdateCheck, kind: UpdateState['kind']): Promise<void> =>
  until(`the state ${kind}`, () => check.state.kind === kind)

/** Turns the clock until the service was asked so many times. */
const untilAsked = (times: number, stepMs = hour): Promise<void> =>
  until(`${times} requests`, () => {
    if (world.asked.length < times) world.clock.advance(stepMs)
    return world.asked.length >= times
  })

describe('a check for updates', () => {
  it('goes from available over downloading to ready, and the file on disk is the build', async () => {
    world.publish(offer())
    const check = start()
    await untilState(check, 'ready')
    expect([...new Set(world.states.map(({ kind }) => kind))]).toEqual(['available', 'downloading', 'ready'])
    expect(world.asked).toEqual(['/v1/updates/manifest?app=desktop_agent&channel=stable'])
    const state = check.state
    if (state.kind !== 'ready') throw new Error(state.kind)
    expect(state.update).toMatchObject({ version: '1.1.0', platform: 'linux' })
    expect((await readFile(state.update.path)).equals(bytes)).toBe(true)
  })

  it('finds nothing when nothing is published, or nothing newer for this machine', async () => {
    const check = start()
    await until('an answer', () => world.states.length === 1)
    expect(check.state).toEqual({ kind: 'none' })
    expect(world.troubles).toEqual([])
    const other = [build(world.files, { platform: 'darwin' }), build(world.files, { arch: 'arm64' })]
    world.publish(offer({ builds: [...other, build(world.files, { version: '1.0.0' })] }))
    await untilAsked(2)
    await until('a second answer', () => world.states.length === 2)
    expect(check.state).toEqual({ kind: 'none' })
  })

  it('only tells of an update where it cannot install one', async () => {
    world.publish(offer())
    const check = start({ download: undefined })
    await untilState(check, 'available')
    expect(world.files.requests).toEqual([])
  })

  it('comes again after six hours, and not before five', async () => {
    start()
    await until('an answer', () => world.states.length === 1)
    world.clock.advance(5 * hour)
    expect(world.asked).toHaveLength(1)
    await untilAsked(2)
    const passed = world.clock.monotonicMs()
    expect(passed).toBeGreaterThanOrEqual(6 * hour)
    expect(passed).toBeLessThan(7 * hour)
  })

  it('comes again sooner when the answer was no answer of the service', async () => {
    const page = '<!doctype html><title>Sign in to the network</title>'
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      (response) => response.writeHead(404, { 'content-type': 'text/html' }).end(page),
      (response) => response.socket?.destroy(),
    ]
    world.answers((response) => answers.shift()?.(response))
    const check = start()
    for (const times of [1, 2, 3]) {
      await untilAsked(times, hour / 6)
      await until('the trouble to be told', () => world.troubles.length === times)
      expect(check.state).toEqual({ kind: 'none' })
    }
    world.publish(offer())
    await untilAsked(4, hour / 6)
    await untilState(check, 'ready')
    expect(world.clock.monotonicMs()).toBeLessThan(2 * hour)
  })
})

describe('a manifest that is not believed', () => {
  const whyOf = async (check: UpdateCheck): Promise<string> => {
    await untilState(check, 'refused')
    return check.state.kind === 'refused' ? check.state.why : ''
  }

  it('is refused when a removed key signed it', async () => {
    world.publish(offer(), removed)
    expect(await whyOf(start())).toMatch(/key that this program does not know/)
    expect(world.files.requests).toEqual([])
  })

  it('is refused when it is expired, and when this clock is more than a day off', async () => {
    world.publish(offer({ expiresAt: new Date(world.clock.wallMs() - 1).toISOString() }))
    expect(await whyOf(start())).toMatch(/expired/)
    const ahead = new Date(world.clock.wallMs() + 25 * hour).toISOString()
    world.publish(offer({ issuedAt: ahead }))
    expect(await whyOf(start())).toMatch(/Please check the date and time/)
  })

  it('is refused when it is older than one seen before', async () => {
    world.publish(offer({ sequence: 5, builds: [] }))
    start()
    await until('the first to be seen', () => world.states.length === 1)
    world.publish(offer({ sequence: 4 }))
    expect(await whyOf(start())).toMatch(/older document/)
  })

  it('is refused when the data is not even a signed document', async () => {
    world.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":null}')
    })
    expect(await whyOf(start())).toMatch(/not signed/)
  })

  it('cannot take back an update that is ready', async () => {
    world.publish(offer())
    const check = start()
    await untilState(check, 'ready')
    world.publish(offer({ sequence: 9 }), removed)
    await untilAsked(2)
    await until('the trouble to be told', () => world.troubles.length === 1)
    expect(check.state.kind).toBe('ready')
  })
})

describe('a build that is not the announced one', () => {
  it('is refused in words and not fetched a second time', async () => {
    world.files.bytes = Buffer.from(bytes)
    world.files.bytes[7] = bytes[7]! ^ 1
    world.publish(offer())
    const check = start()
    await untilState(check, 'refused')
    expect(check.state).toMatchObject({ why: expect.stringContaining('was not installed') })
    await untilAsked(3)
    expect(world.files.requests).toHaveLength(1)
  })
})

describe('a version that is no longer supported', () => {
  it('says so, with how far the update is', async () => {
    world.publish(offer({ minimumVersion: '1.0.1' }))
    const check = start()
    await until('the update', () => check.state.kind === 'below_minimum' && check.state.progress.kind === 'ready')
    const about = { kind: 'below_minimum', current: '1.0.0', minimum: '1.0.1', canUpdate: true }
    expect(world.states.every((state) => state.kind === 'below_minimum')).toBe(true)
    expect(check.state).toMatchObject(about)
  })

  it('says that there is no update for this machine, or none that is enough', async () => {
    world.publish(offer({ minimumVersion: '1.2.0' }))
    const notEnough = start()
    await untilState(notEnough, 'below_minimum')
    expect(notEnough.state).toMatchObject({ canUpdate: false, minimum: '1.2.0' })
    world.publish(offer({ minimumVersion: '1.0.1', sequence: 2, builds: [] }))
    const none = start()
    await untilState(none, 'below_minimum')
    expect(none.state).toMatchObject({ canUpdate: false, minimum: '1.0.1', progress: { kind: 'none' } })
  })
})

describe('a recording', () => {
  it('that goes on from before the start is not disturbed: nothing is asked until it is over', async () => {
    world.publish(offer({ minimumVersion: '2.0.0' }))
    const check = world.check()
    started.push(check)
    check.setRecording(true)
    check.start()
    world.clock.advance(20 * hour)
    world.clock.advance(20 * hour)
    expect(world.asked).toEqual([])
    check.setRecording(false)
    await untilState(check, 'below_minimum')
  })

  it('stops a download, which goes on afterwards where it was', async () => {
    world.files.silentAfter = 120_000
    world.publish(offer())
    const check = start()
    await until('most of it', () => check.state.kind === 'downloading' && check.state.received === 120_000)
    check.setRecording(true)
    await untilState(check, 'available')
    world.clock.advance(20 * hour)
    expect(world.asked).toHaveLength(1)
    check.setRecording(false)
    await untilState(check, 'ready')
    expect(world.files.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=120000-'])
    expect(world.troubles).toEqual([])
  })
})
