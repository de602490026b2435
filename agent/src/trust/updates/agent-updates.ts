import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import type { Clock } from '../../shared/clock.ts'
import { privateDir } from '../../shared/durable-file.ts'
import type { MinisignPublicKey } from '../minisign/minisign.ts'
import { fileNewestSeen } from '../minisign/newest-seen.ts'
import { readPublished } from '../minisign/published.ts'
import { builtInKeys } from '../minisign/signed-document.ts'
import { createPinnedNetwork, type PinnedNetwork } from '../pinning/pinned-fetch.ts'
import type { PinMismatch } from '../pinning/pins.ts'
import { SecurityPolicyKeeper } from '../pinning/security-policy.ts'
import { downloadBuild } from './download.ts'
import { createInstaller, type Installed, type InstallPort } from './install.ts'
import { UpdateCheck } from './update-check.ts'
import type { UpdateState } from './update-state.ts'

export interface AgentUpdatesOptions {
  /** The service's address. */
  readonly server: string
  /** A folder for what is kept over restarts; a build is fetched into a folder inside. */
  readonly dir: string
  /** Of the running program. */
  readonly version: string
  readonly channel?: 'stable' | 'beta'
  readonly clock: Clock
  readonly random?: () => number
  /** Those built in unless told. */
  readonly keys?: readonly MinisignPublicKey[]
  readonly platform?: NodeJS.Platform
  readonly arch?: string
  /** How an update is put in place; that of this platform unless told, null to only tell of updates. */
  readonly installer?: InstallPort | null | undefined
  /** Certification authorities (PEM) for the session's connections; the system's unless told. */
  readonly ca?: string
  readonly onUpdate: (state: UpdateState) => void
  readonly onMismatch: (mismatch: PinMismatch) => void
  readonly onTrouble: (trouble: string) => void
}

/** Updates and pinning towards one service. */
export interface AgentUpdates {
  /** The way to the service for everything that a session sends. */
  readonly network: PinnedNetwork
  /** Brings back the pins of the last run. To be awaited before `network` is used. */
  load(): Promise<void>
  start(): void
  /** While true, nothing is looked for and nothing is fetched. */
  setRecording(recording: boolean): void
  readonly state: UpdateState
  /** Resolves once the service was asked for the first time, whatever it answered, or that was put off. */
  readonly looked: Promise<void>
  /** Puts a ready update in place; undefined when there is none. Throws InstallError. To be called on quit. */
  install(reopen?: boolean): Promise<Installed | undefined>
  stop(): Promise<void>
}

const answerWithinMs = 30_000

type ReadManifest = ConstructorParameters<typeof UpdateCheck>[0]['readManifest']

/** Where nothing can be put in place, a build is told of and not fetched. */
const createCheck = (options: AgentUpdatesOptions, fetches: boolean, readManifest: ReadManifest): UpdateCheck => {
  const { platform = process.platform, arch = process.arch, version, clock, random = Math.random } = options
  const dir = join(options.dir, 'builds')
  return new UpdateCheck({
    machine: { version, platform, arch },
    clock,
    random,
    readManifest,
    ...(fetches && { download: (build, signal, onProgress) => downloadBuild(build, { dir, signal, onProgress }) }),
    onState: options.onUpdate,
    onTrouble: options.onTrouble,
  })
}

/**
 * Puts updates and pinning together. A build without release keys believes nothing that is published, so it does not
 * ask either.
 */
export const createAgentUpdates = (options: AgentUpdatesOptions): AgentUpdates => {
  const { server, dir, clock, random = Math.random, keys = builtInKeys(), onTrouble } = options
  const { platform = process.platform, channel = 'stable', ca } = options
  const installer = options.installer === undefined ? createInstaller(platform) : options.installer
  const seen = fileNewestSeen(dir)
  // Not pinned: the policy that lifts pinning must be readable when the pins are wrong, and both are signed.
  const client = createClient({ baseUrl: server, timeoutMs: answerWithinMs })
  const open = { clock, seen, keys }
  const keeper = new SecurityPolicyKeeper({
    dir,
    clock,
    random,
    keys,
    readPolicy: (signal) => readPublished(client, { kind: 'security_policy' }, { ...open, signal }),
    onPinning: (pinning) => network.setPinning(pinning),
    onTrouble,
  })
  const network = createPinnedNetwork({
    ...(ca === undefined ? {} : { ca }),
    onMismatch: (mismatch) => {
      keeper.refreshSoon()
      options.onMismatch(mismatch)
    },
  })
  const wanted = { kind: 'update_manifest', app: 'desktop_agent', channel } as const
  const check = createCheck(options, Boolean(installer), (signal) => readPublished(client, wanted, { ...open, signal }))
  return {
    network,
    load: async () => {
      await privateDir(dir)
      await keeper.load()
    },
    start: () => {
      if (keys.length === 0) return
      keeper.start()
      check.start()
    },
    setRecording: (recording) => check.setRecording(recording),
    get state() {
      return check.state
    },
    looked: keys.length === 0 ? Promise.resolve() : check.looked,
    install: async (reopen) => {
      const { progress } = check
      return progress.kind === 'ready' ? installer?.install(progress.update, reopen) : undefined
    },
    stop: async () => {
      await Promise.all([keeper.stop(), check.stop()])
      await network.close()
    },
  }
}
