import type { UpdateBuild, UpdateManifestDocument } from '@integrity/protocol'
import { describeError } from '../../core/upload/answers.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Published } from '../minisign/published.ts'
import { type Choice, chooseBuild, type Machine } from './choose-build.ts'
import { DownloadError } from './download-errors.ts'
import type { UpdateProgress, UpdateState } from './update-state.ts'

export interface UpdateCheckOptions {
  readonly machine: Machine
  readonly clock: Clock
  readonly random: () => number
  /** Reads the manifest; rejects when the service does not answer. */
  readonly readManifest: (signal: AbortSignal) => Promise<Published<UpdateManifestDocument>>
  /**
   * Fetches a build and gives its path; without it updates are only told of, as where the program was installed by
   * the system's own packages.
   */
  readonly download?: (
    build: UpdateBuild,
    signal: AbortSignal,
    onProgress: (received: number, total: number) => void,
  ) => Promise<string>
  readonly onState: (state: UpdateState) => void
  /** What went wrong and is tried again later. */
  readonly onTrouble: (trouble: string) => void
}

const everyMs = 6 * 60 * 60 * 1000
/** Each wait is up to a tenth shorter or longer, so that many agents do not come at once. */
const jitter = 0.1
/** After a check that got no answer. */
const againMs = 15 * 60 * 1000

/**
 * Looks for updates: on start, then every six hours, and never while a session is recorded (`setRecording`): a
 * download that is under way then stops and is continued afterwards. It changes nothing by itself: installing is the
 * shell's, when the candidate quits, and a session in progress is never interrupted, not even by a minimum version.
 */
export class UpdateCheck {
  readonly #options: UpdateCheckOptions
  readonly #stop = new AbortController()
  readonly #looked = Promise.withResolvers<void>()
  #state: UpdateState = { kind: 'none' }
  #choice: Choice | undefined
  #running: Promise<void> | undefined
  #recording = false
  /** Ends the check, or the wait for the next, when a recording begins or ends. */
  #turn = new AbortController()
  /** Hash of the build whose file was not what was announced: it is not fetched a second time. */
  #wrong: string | undefined

  constructor(options: UpdateCheckOptions) {
    this.#options = options
  }

  get state(): UpdateState {
    return this.#state
  }

  /** Resolves once the service has answered or failed to for the first time, or a recording put that off. */
  get looked(): Promise<void> {
    return this.#looked.promise
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#looked.resolve()
    await this.#running
  }

  setRecording(recording: boolean): void {
    if (this.#recording === recording) return
    this.#recording = recording
    const turn = this.#turn
    this.#turn = new AbortController()
    turn.abort()
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#options
    while (!this.#stop.signal.aborted) {
      const signal = AbortSignal.any([this.#stop.signal, this.#turn.signal])
      const answered = this.#recording || (await this.#check(signal))
      this.#looked.resolve()
      const waitMs = answered ? everyMs * (1 - jitter + 2 * jitter * random()) : againMs * (0.5 + random())
      await clock.sleep(waitMs, signal)
    }
  }

  /** False when it is to be tried again soon. */
  async #check(signal: AbortSignal): Promise<boolean> {
    try {
      const published = await this.#options.readManifest(signal)
      if (signal.aborted) return true
      if (published.kind === 'refused') {
        // What a believed manifest said before stands: a bad answer cannot take a fetched update back.
        if (this.progress.kind === 'ready') this.#options.onTrouble(published.refusal.message)
        else this.#show({ kind: 'refused', why: published.refusal.message })
        return true
      }
      this.#choice = published.kind === 'document' ? chooseBuild(published.document, this.#options.machine) : undefined
      this.#begin()
      return await this.#fetch(signal)
    } catch (error) {
      if (!signal.aborted) this.#options.onTrouble(describeError(error))
      return signal.aborted
    }
  }

  /** Tells what was found; whoever waits need not wait for the download. */
  #begin(): void {
    const build = this.#choice?.build
    if (!build) this.#show({ kind: 'none' })
    else if (build.sha512 !== this.#wrong && !this.#has(build)) this.#show({ kind: 'available', build })
    this.#looked.resolve()
  }

  async #fetch(signal: AbortSignal): Promise<boolean> {
    const { download } = this.#options
    const build = this.#choice?.build
    if (!build || !download || build.sha512 === this.#wrong) return true
    const { version, platform, sha512 } = build
    let told = -1
    const onProgress = (received: number, total: number): void => {
      const percent = Math.floor((100 * received) / total)
      // Windows need no news of every packet.
      if (signal.aborted || percent === told) return
      told = percent
      this.#show({ kind: 'downloading', version, received, total })
    }
    try {
      const path = await download(build, signal, onProgress)
      return this.#show({ kind: 'ready', update: { version, path, platform, sha512 } })
    } catch (error) {
      return this.#failed(build, error, signal)
    }
  }

  #failed(build: UpdateBuild, error: unknown, signal: AbortSignal): boolean {
    const isFinal = error instanceof DownloadError && error.fault !== 'unavailable'
    if (isFinal && !signal.aborted) {
      if (error.fault === 'wrong_file') this.#wrong = build.sha512
      return this.#show({ kind: 'refused', why: error.message })
    }
    this.#show({ kind: 'available', build })
    if (!signal.aborted) this.#options.onTrouble(describeError(error))
    return signal.aborted
  }

  /** Whether this build is on disk already. */
  #has({ sha512 }: UpdateBuild): boolean {
    const progress = this.progress
    return progress.kind === 'ready' && progress.update.sha512 === sha512
  }

  /** How far the update is, whatever the minimum. */
  get progress(): UpdateProgress {
    return this.#state.kind === 'below_minimum' ? this.#state.progress : this.#state
  }

  #show(progress: UpdateProgress): true {
    const { minimum, reachesMinimum = false } = this.#choice ?? {}
    const current = this.#options.machine.version
    this.#state =
      minimum === undefined
        ? progress
        : { kind: 'below_minimum', current, minimum, canUpdate: reachesMinimum, progress }
    this.#options.onState(this.#state)
    return true
  }
}
