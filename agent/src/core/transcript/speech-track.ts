import { backoffMs } from '@integrity/client/backoff'
import type { GapReason } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import { bytesPerMs } from '../capture/pcm.ts'
import type { ConfirmedSound } from '../capture/types.ts'
import { endMs, lengthMs, type SoundPiece, SoundQueue } from './sound-queue.ts'
import { TimeMap } from './time-map.ts'
import type { Recognised, Recogniser, RecogniserListener, SpeechEngine } from './types.ts'

/** Put in where sound has a hole, so that words before and after it are not taken for one utterance. */
const pauseMs = 800
/** What is said without a pause is broken off after this long, or nothing of it would come out. */
const breakAfterMs = 30_000
/** Sound that waits for an engine at the most: 1.9 MB. */
export const longestWaitingMs = 60_000
/** An engine that takes nothing for this long while sound waits has hung. */
export const hungAfterMs = 30_000
/** A run shorter than this counts as a failure of the engine and not of a moment. */
const steadyRunMs = 60_000
const restart = { baseMs: 500, capMs: 60_000, leastMs: 250 }
/** How long `stop` waits for the last words. */
const finishGraceMs = 15_000

export interface SpeechTrackOptions {
  readonly engine: SpeechEngine
  readonly clock: Clock
  readonly random?: (() => number) | undefined
  /** Words, their times in epoch ms of the sound. Must not throw. */
  readonly onWords: (recognised: Recognised) => void
  /** The engine is gone: words that were not firm stay so. */
  readonly onEngineLost: (why: string) => void
  /** It has proved to read sound, first or again. */
  readonly onWorking: () => void
  /** Sound (epoch ms) that no engine could work on. */
  readonly onMissed: (from: number, to: number, reason: GapReason) => void
}

/** An engine that cannot even be started is one that ended at once. */
const openSafely = (engine: SpeechEngine, listener: RecogniserListener): Recogniser => {
  try {
    return engine.open(listener)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    const nothing = (): number => 0
    const ended = Promise.resolve({ complete: false, why })
    const idle = (): void => undefined
    return { accept: () => false, takenMs: nothing, settledMs: nothing, finish: idle, kill: idle, ended }
  }
}

interface Run {
  readonly recogniser: Recogniser
  readonly map: TimeMap
}

/** The sound of one lane on its way through an engine, which is started again when it fails. */
export class SpeechTrack {
  readonly #options: SpeechTrackOptions
  readonly #queue: SoundQueue
  readonly #stopping = new AbortController()
  readonly #loop: Promise<void>
  #run: Run | undefined
  #room = true
  #working = false
  #fullSince: number | undefined
  #brokenAtMs = 0
  #heardUntil = 0
  #settledUntil = 0

  constructor(options: SpeechTrackOptions) {
    this.#options = options
    this.#queue = new SoundQueue(longestWaitingMs, (piece) => this.#dropped(piece))
    this.#loop = this.#keepRunning()
  }

  hear({ bytes, at }: Pick<ConfirmedSound, 'bytes' | 'at'>): void {
    if (this.#stopping.signal.aborted) return
    const piece = { pcm: bytes, fromMs: at - bytes.length / bytesPerMs }
    this.#heardUntil = endMs(piece)
    this.#queue.put(piece)
    this.#feed()
    this.#look()
  }

  /** Epoch ms up to which it is known what became of the sound; undefined when all of it is. */
  settledUntil(): number | undefined {
    const { map, recogniser } = this.#run ?? {}
    const reached = map && recogniser ? map.wallAt(recogniser.settledMs()) : undefined
    if (reached !== undefined) this.#settledUntil = Math.max(this.#settledUntil, reached)
    const first = this.#queue.first()
    if (!first && this.#settledUntil >= this.#heardUntil) return undefined
    return this.#run ? this.#settledUntil : Math.max(this.#settledUntil, first?.fromMs ?? 0)
  }

  /** Epoch ms of the newest sound. */
  get heardUntil(): number {
    return this.#heardUntil
  }

  /** Sound (in ms) that waits here; never more than a minute. */
  get waitingMs(): number {
    return this.#queue.waitingMs
  }

  /** Gives an engine what waits and resolves when the last words are out; what it does not manage in time is missed. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort()
    // Between two tries of a failing engine, what waits is worth one more.
    const run = this.#run ?? (this.#queue.first() ? this.#open() : undefined)
    if (run) await this.#finish(run)
    await this.#loop
    this.#run = undefined
    this.#settledUntil = this.#heardUntil
  }

  async #finish(run: Run): Promise<void> {
    const { clock } = this.#options
    while (this.#queue.first()) this.#giveOne(run)
    run.recogniser.finish()
    const timer = new AbortController()
    const late = clock.sleep(finishGraceMs, timer.signal).then(() => undefined)
    const ending = await Promise.race([run.recogniser.ended, late])
    timer.abort()
    if (ending?.complete) return
    this.#miss(this.#lostFrom(run), this.#heardUntil, ending ? 'driver_failed' : 'agent_stopped')
    run.recogniser.kill()
    await run.recogniser.ended
  }

  async #keepRunning(): Promise<void> {
    const { clock, engine, random, onEngineLost } = this.#options
    const { signal } = this.#stopping
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const started = clock.monotonicMs()
      const run = this.#open()
      const ending = await run.recogniser.ended
      if (signal.aborted) return
      this.#run = undefined
      this.#working = false
      const given = run.map.wallAt(run.map.streamMs)
      if (given !== undefined) this.#miss(this.#lostFrom(run), given, 'driver_failed')
      onEngineLost(`${engine.name} ended: ${ending.why}`)
      if (clock.monotonicMs() - started >= steadyRunMs) attempt = 0
      await clock.sleep(backoffMs(attempt + 1, { ...restart, random }), signal)
    }
  }

  #open(): Run {
    const map = new TimeMap()
    const recogniser = openSafely(this.#options.engine, {
      words: (recognised) => this.#words(map, recognised),
      room: () => {
        this.#room = true
        this.#fullSince = undefined
        this.#feed()
      },
    })
    const run = { recogniser, map }
    this.#run = run
    this.#room = true
    this.#fullSince = undefined
    this.#brokenAtMs = 0
    this.#feed()
    return run
  }

  #words(map: TimeMap, recognised: Recognised): void {
    const startMs = map.wallAt(recognised.startMs)
    const end = map.wallAt(recognised.endMs)
    if (startMs === undefined || end === undefined) return
    if (recognised.final) this.#brokenAtMs = Math.max(this.#brokenAtMs, recognised.endMs)
    this.#options.onWords({ ...recognised, startMs, endMs: end })
    this.#look()
  }

  #feed(): void {
    const run = this.#run
    while (run && this.#room && this.#queue.first()) {
      this.#room = this.#giveOne(run)
      if (!this.#room) this.#fullSince = this.#options.clock.monotonicMs()
    }
  }

  /** False when the engine wants no more for now. */
  #giveOne({ recogniser, map }: Run): boolean {
    const piece = this.#queue.take()
    if (!piece) return true
    if (map.isHole(piece.fromMs) || map.streamMs - this.#brokenAtMs >= breakAfterMs) {
      recogniser.accept(Buffer.alloc(pauseMs * bytesPerMs))
      map.silence(pauseMs)
      this.#brokenAtMs = map.streamMs
    }
    map.sound(piece.fromMs, lengthMs(piece))
    return recogniser.accept(piece.pcm)
  }

  /** Looks whether the engine works, or has hung. */
  #look(): void {
    const run = this.#run
    if (!run) return
    run.map.forgetBefore(run.recogniser.settledMs())
    if (!this.#working && run.recogniser.takenMs() > 0) {
      this.#working = true
      this.#options.onWorking()
    }
    const { clock } = this.#options
    if (this.#fullSince !== undefined && clock.monotonicMs() - this.#fullSince >= hungAfterMs) run.recogniser.kill()
  }

  /** The oldest sound gives way: to an engine that is slower than speech, or that is not there. */
  #dropped(piece: SoundPiece): void {
    this.#missPiece(piece, this.#run ? 'not_observable' : 'driver_failed')
  }

  #missPiece(piece: SoundPiece, reason: GapReason): void {
    this.#miss(piece.fromMs, endMs(piece), reason)
  }

  #lostFrom(run: Run | undefined): number {
    const reached = run ? run.map.wallAt(run.recogniser.settledMs()) : undefined
    return Math.max(this.#settledUntil, reached ?? 0)
  }

  #miss(from: number, to: number, reason: GapReason): void {
    if (from > 0 && to > from) this.#options.onMissed(from, to, reason)
    // Sound that an engine still has is settled by it; what was dropped before the queue's first is settled now.
    if (!this.#run) this.#settledUntil = Math.max(this.#settledUntil, to)
  }
}
