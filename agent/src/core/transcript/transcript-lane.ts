import type { GapReason, LaneHealthState, LaneName } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { CoverageWindow } from '../capture/coverage.ts'
import { bytesPerMs } from '../capture/pcm.ts'
import type { ConfirmedSound, HealthReport, LaneSink, SoundLane } from '../capture/types.ts'
import { HeardCoverage } from './heard-coverage.ts'
import { type SegmentStore, SegmentWriter, type Speaker } from './segment-writer.ts'
import { SpeechTrack } from './speech-track.ts'
import type { EngineChoice, Recognised, SpeechEngine } from './types.ts'

/**
 * Who is named as speaking. The microphone is the candidate's. What the computer plays may be the interviewer, a film
 * or a voice that reads the screen aloud: nothing tells, so it is `unknown`. Loudspeakers that a microphone hears are
 * put down to the candidate; a reader of a transcript must know that.
 */
const speakers: Readonly<Record<SoundLane, Speaker>> = { microphone: 'candidate', system_audio: 'unknown' }
const soundLanes: readonly SoundLane[] = ['microphone', 'system_audio']
/** A source that is silent in this sense gives no samples at all; its engine is let go until it does again. */
const idleMs = 60_000

export interface TranscriptLaneOptions {
  /** The engine of this machine, or why there is none: then the lane says that it cannot be observed. */
  readonly choose: () => Promise<EngineChoice>
  /** BCP 47, when the model's own files do not say which language it is for. */
  readonly language?: string | undefined
  readonly store: SegmentStore
  readonly clock: Clock
  /** Epoch ms, by `clock`, at which the session was registered; asked on each `apply`. */
  readonly sessionStartedAt: () => number | undefined | Promise<number | undefined>
  readonly random?: (() => number) | undefined
  /** In words, for the log; never what was said. */
  readonly onTrouble?: ((trouble: string) => void) | undefined
}

export interface TranscriptLane {
  /** The tap: to be given to the sound lanes as `CaptureConfig.onSound`. Never throws. */
  hear(sound: ConfirmedSound): void
  /** Whether sound is of use now. Without an engine too: what was heard is what a transcript is measured against. */
  listens(): boolean
  /** Works on exactly the sound lanes that run, and only when `transcript` is among the lanes. */
  apply(lanes: readonly LaneName[], sink: Pick<LaneSink, 'gap' | 'health'>): Promise<void>
  /** Resolves when the words said before are durable; `resume` goes on. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
  takeCoverage(): CoverageWindow[]
  health(): HealthReport | undefined
}

export const createTranscriptLane = (options: TranscriptLaneOptions): TranscriptLane => new SpeechTranscript(options)

interface Account {
  readonly sink: Pick<LaneSink, 'gap' | 'health'>
  readonly coverage: HeardCoverage
  /** Epoch ms. */
  readonly startedAt: number
  readonly choice: EngineChoice
}

class SpeechTranscript implements TranscriptLane {
  readonly #options: TranscriptLaneOptions
  readonly #tracks = new Map<SoundLane, SpeechTrack>()
  /** Tracks that still have words to give. */
  readonly #ending = new Map<SpeechTrack, Promise<void>>()
  readonly #failed = new Set<SoundLane>()
  #account: Account | undefined
  #wanted: readonly SoundLane[] = []
  #paused = false
  /** There is consent to a transcript and no lane that hears anything. */
  #deaf = false
  /** Epoch ms of the newest sound, or from when on there should have been some. */
  #heardAt = 0
  #windows: CoverageWindow[] = []
  #health: HealthReport | undefined

  constructor(options: TranscriptLaneOptions) {
    this.#options = options
  }

  hear(sound: ConfirmedSound): void {
    try {
      this.#hear(sound)
    } catch (error) {
      // The lane that records the sound must not suffer from it.
      this.#options.onTrouble?.(`transcript: ${error instanceof Error ? error.name : 'unknown'}`)
    }
  }

  listens(): boolean {
    return this.#account !== undefined && !this.#paused && this.#wanted.length > 0
  }

  #hear(sound: ConfirmedSound): void {
    const account = this.#account
    if (!account || this.#paused || !this.#wanted.includes(sound.lane)) return
    const from = sound.at - sound.bytes.length / bytesPerMs
    account.coverage.heard(sound.lane, from, sound.at)
    this.#heardAt = sound.at
    if ('problem' in account.choice) account.coverage.missed(from, sound.at, 'not_observable')
    else this.#track(sound.lane, account, account.choice.engine).hear(sound)
  }

  async apply(lanes: readonly LaneName[], sink: Pick<LaneSink, 'gap' | 'health'>): Promise<void> {
    if (!lanes.includes('transcript')) return this.stop()
    this.#deaf = !soundLanes.some((lane) => lanes.includes(lane))
    this.#wanted = soundLanes.filter((lane) => lanes.includes(lane))
    await this.#endTracks([...this.#tracks.keys()].filter((lane) => !this.#wanted.includes(lane)))
    if (this.#account) return
    const { clock, choose, onTrouble, sessionStartedAt } = this.#options
    const now = clock.wallMs()
    const choice = await choose()
    const startedAt = (await sessionStartedAt()) ?? now
    this.#heardAt = now
    const coverage = new HeardCoverage(now, (gap) => sink.gap({ lane: 'transcript', ...gap }))
    this.#account = { sink, coverage, startedAt, choice }
    const problem =
      'problem' in choice ? choice.problem : this.#wanted.length === 0 ? 'no sound is recorded' : undefined
    if (problem === undefined) return
    onTrouble?.(`transcript: not_observable: ${problem}`)
    this.#tell('down', 'not_observable')
  }

  async pause(): Promise<void> {
    this.#paused = true
    await this.#endTracks([...this.#tracks.keys()])
  }

  resume(): void {
    this.#heardAt = this.#options.clock.wallMs()
    this.#paused = false
  }

  async stop(): Promise<void> {
    this.#wanted = []
    await this.#endTracks([...this.#tracks.keys()])
    this.#windows = this.takeCoverage()
    this.#account?.coverage.closeGap()
    this.#account = undefined
    this.#health = undefined
  }

  takeCoverage(): CoverageWindow[] {
    const windows = this.#windows
    this.#windows = []
    const account = this.#account
    if (!account) return windows
    const now = this.#options.clock.wallMs()
    for (const [lane, track] of this.#tracks) if (now - track.heardUntil > idleMs) this.#endTrack(lane, track)
    const tracks = [...this.#tracks.values(), ...this.#ending.keys()]
    const settled = tracks.map((track) => track.settledUntil() ?? now)
    if (this.#deaf || this.#isSilent(now)) {
      account.coverage.missedUntil(now, 'not_observable')
      this.#tell('down', 'not_observable')
    }
    const window = account.coverage.take(Math.min(now, ...settled))
    return window ? [...windows, window] : windows
  }

  health(): HealthReport | undefined {
    return this.#health
  }

  /** The lanes should give sound and give none: recorded in a way that cannot be listened to, or not at all. */
  #isSilent(now: number): boolean {
    const busy = this.#tracks.size + this.#ending.size > 0
    return !this.#paused && !busy && this.#wanted.length > 0 && now - this.#heardAt > idleMs
  }

  #track(lane: SoundLane, account: Account, engine: SpeechEngine): SpeechTrack {
    const known = this.#tracks.get(lane)
    if (known) return known
    const { clock, random, store, language, onTrouble } = this.#options
    const speaker = speakers[lane]
    const writer = new SegmentWriter({ speaker, language: language ?? engine.language, store, clock })
    const missed = (from: number, to: number, reason: GapReason): void => account.coverage.missed(from, to, reason)
    const track = new SpeechTrack({
      engine,
      clock,
      random,
      onWords: (recognised) => this.#write(writer, account, recognised),
      onMissed: missed,
      onEngineLost: (why) => {
        writer.abandon()
        onTrouble?.(`transcript: driver_failed: ${lane}: ${why}`)
        this.#failed.add(lane)
        this.#tell(this.#failed.size < this.#tracks.size ? 'degraded' : 'down', 'driver_failed')
      },
      onWorking: () => {
        this.#failed.delete(lane)
        if (this.#failed.size === 0) this.#tell('up')
        else this.#tell('degraded', 'driver_failed')
      },
    })
    this.#tracks.set(lane, track)
    return track
  }

  #write(writer: SegmentWriter, { startedAt, coverage }: Account, recognised: Recognised): void {
    const { startMs, endMs, final } = recognised
    try {
      writer.write({ ...recognised, startMs: startMs - startedAt, endMs: endMs - startedAt })
    } catch (error) {
      // Only firm words count as missed: others come again.
      if (final) coverage.missed(startMs, endMs, 'storage_full')
      this.#options.onTrouble?.(
        `transcript: words could not be kept: ${error instanceof Error ? error.name : 'unknown'}`,
      )
    }
  }

  async #endTracks(lanes: readonly SoundLane[]): Promise<void> {
    for (const lane of lanes) {
      const track = this.#tracks.get(lane)
      if (track) this.#endTrack(lane, track)
    }
    await Promise.all(this.#ending.values())
  }

  #endTrack(lane: SoundLane, track: SpeechTrack): void {
    this.#tracks.delete(lane)
    this.#failed.delete(lane)
    this.#ending.set(
      track,
      track.stop().finally(() => this.#ending.delete(track)),
    )
  }

  #tell(state: LaneHealthState, reason?: GapReason): void {
    if (this.#health?.state === state && this.#health.reason === reason) return
    const since = this.#options.clock.wallMs()
    this.#health = { lane: 'transcript', state, since, ...(reason === undefined ? {} : { reason }) }
    this.#account?.sink.health(this.#health)
  }
}
