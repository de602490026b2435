import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findProgram, runCommand } from '../../src/shared/child-process.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { type MinisignPublicKey, parsePublicKey } from '../../src/trust/minisign/minisign.ts'
import { fileNewestSeen } from '../../src/trust/minisign/newest-seen.ts'
import { readPublished } from '../../src/trust/minisign/published.ts'
import { pinMismatchOf } from '../../src/trust/pinning/pins.ts'
import {
  type AgentUpdates,
  type AgentUpdatesOptions,
  createAgentUpdates,
} from '../../src/trust/updates/agent-updates.ts'
import { createInstaller } from '../../src/trust/updates/install.ts'
import { type FileServer, startFileServer } from '../../src/trust/updates/test-support/file-server.ts'
import type { UpdateState } from '../../src/trust/updates/update-state.ts'
import { until } from '../test-support/until.ts'
import { type RealServer, startRealServer } from './real-server.ts'

describe.skipIf(findProgram('minisign') === undefined)('what an operator publishes on the real server', () => {
  let keyFolder: string
  let keys: MinisignPublicKey[]
  let server: RealServer
  let files: FileServer
  const bytes = randomBytes(300_000)
  const never = new AbortController().signal

  beforeAll(async () => {
    keyFolder = await mkdtemp(join(tmpdir(), 'release-key-'))
    const [pub, sec] = [join(keyFolder, 'release.pub'), join(keyFolder, 'release.key')]
    await runCommand('minisign', ['-G', '-W', '-p', pub, '-s', sec])
    const publicKey = (await readFile(pub, 'utf8')).split('\n')[1] ?? ''
    keys = [parsePublicKey(publicKey)]
    files = await startFileServer(bytes)
    await writeFile(join(keyFolder, 'agent.AppImage'), bytes)
    server = await startRealServer({ RELEASE_PUBLIC_KEYS: publicKey })
  })
  afterAll(async () => {
    await server.remove()
    await files.close()
    await rm(keyFolder, { recursive: true, force: true })
  })

  const options = () => ({ clock: systemClock, seen: fileNewestSeen(keyFolder), keys, signal: never })
  const client = () => createClient({ baseUrl: server.url })
  const manifestOf = { kind: 'update_manifest', app: 'desktop_agent', channel: 'stable' } as const
  const started: AgentUpdates[] = []
  const start = async (overrides: Partial<AgentUpdatesOptions>): Promise<AgentUpdates> => {
    const updates = createAgentUpdates({
      server: server.url,
      dir: join(server.folder, 'updates'),
      version: '9.0.0',
      platform: 'linux',
      arch: 'x64',
      clock: systemClock,
      keys,
      installer: null,
      onUpdate: () => undefined,
      onMismatch: () => undefined,
      onTrouble: (trouble) => expect.unreachable(trouble),
      ...overrides,
    })
    started.push(updates)
    await updates.load()
    updates.start()
    return updates
  }
  afterEach(async () => {
    for (const updates of started.splice(0)) await updates.stop()
  })
  const signing = () => ['--key', join(keyFolder, 'release.key')]

  it('is nothing before the first publication', async () => {
    expect(await readPublished(client(), manifestOf, options())).toEqual({ kind: 'nothing' })
    expect(await readPublished(client(), { kind: 'security_policy' }, options())).toEqual({ kind: 'nothing' })
  })

  it('is found, fetched and ready: a release', async () => {
    const build = `linux,x64,${files.url}/agent.AppImage,${join(keyFolder, 'agent.AppImage')}`
    const about = ['--app', 'desktop_agent', '--version', '1.2.3', '--minimum', '1.1.0', '--build', build]
    await server.admin('release', 'publish', ...about, ...signing())
    const appImage = join(keyFolder, 'running.AppImage')
    await writeFile(appImage, 'the old one')
    const states: UpdateState[] = []
    const updates = await start({
      version: '1.0.0',
      installer: createInstaller('linux', { appImage }),
      onUpdate: (state) => states.push(state),
    })
    expect(await updates.install()).toBeUndefined()
    const isReady = (state: UpdateState | undefined): boolean =>
      state?.kind === 'below_minimum' && state.progress.kind === 'ready'
    await until('the update', () => isReady(states.at(-1)))
    const ready = { minimum: '1.1.0', canUpdate: true, progress: { update: { version: '1.2.3' } } }
    expect(states.at(-1)).toMatchObject(ready)
    expect(await updates.install()).toBe('replaced')
    expect((await readFile(appImage)).equals(bytes)).toBe(true)
  })

  it('is not even asked for by a build without release keys', async () => {
    const before = files.requests.length
    await start({ server: files.url, keys: [] })
    await (await fetch(`${files.url}/probe`)).arrayBuffer()
    expect(files.requests.slice(before).map(({ path }) => path)).toEqual(['/probe'])
  })

  it('is believed by builds that have its key, and by no other: the security policy', async () => {
    const pin = `interviews.invalid=${'A'.repeat(43)}=`
    const about = ['--pinning', 'on', '--pin', pin, '--reason', 'first pins']
    await server.admin('security-policy', 'publish', ...about, ...signing())
    const policyOf = { kind: 'security_policy' } as const
    expect(await readPublished(client(), policyOf, options())).toMatchObject({
      kind: 'document',
      document: { pinning: { enforced: true, pins: [{ host: 'interviews.invalid' }] } },
    })
    expect(await readPublished(client(), policyOf, { ...options(), keys: [] })).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'unknown_key' },
    })
    const updates = await start({})
    await until('the pins to hold', async () => {
      const call = updates.network.fetch('http://interviews.invalid', {})
      return call.then(
        () => false,
        (error: unknown) => pinMismatchOf(error)?.fault === 'not_encrypted',
      )
    })
    await updates.stop()
    // The next run has them before it asks anybody.
    const next = await start({})
    await expect(next.network.fetch('http://interviews.invalid', {})).rejects.toThrow(/https only/)
  })
})
