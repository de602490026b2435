import { bytesPerMs } from '../../capture/pcm.ts'
import type { Ending, Recognised, Recogniser, RecogniserListener, SpeechEngine } from '../types.ts'

/** One recogniser of a scripted engine, as the test sees it. */
export interface ScriptedRun {
  /** Milliseconds of sound it was given. */
  givenMs: number
  /** Of it, what was not digital silence. */
  soundMs: number
  /** What it has read; a test turns it. */
  takenMs: number
  settledMs: number
  finished: boolean
  killed: boolean
  say(recognised: Recognised): void
  /** Takes sound again. */
  room(): void
  end(ending?: Partial<Ending>): void
}

/**
 * An engine that does what a test tells it. It takes sound until it was given `takes` milliseconds. Asked to finish,
 * it says what `lastWords` gives and ends well, unless it is `stubborn`.
 */
export class ScriptedEngine implements SpeechEngine {
  readonly name = 'scripted'
  readonly language = 'en-GB'
  readonly runs: ScriptedRun[] = []
  takes = Number.POSITIVE_INFINITY
  stubborn = false
  lastWords: ((run: ScriptedRun) => Recognised | undefined) | undefined

  get run(): ScriptedRun {
    const run = this.runs.at(-1)
    if (!run) throw new Error('the engine was not opened')
    return run
  }

  open(listener: RecogniserListener): Recogniser {
    const { promise, resolve } = Promise.withResolvers<Ending>()
    const run: ScriptedRun = {
      givenMs: 0,
      soundMs: 0,
      takenMs: 0,
      settledMs: 0,
      finished: false,
      killed: false,
      say: (recognised) => listener.words(recognised),
      room: () => listener.room(),
      end: (ending = {}) => resolve({ complete: false, why: 'exit code 1', ...ending }),
    }
    this.runs.push(run)
    return {
      accept: (pcm) => {
        run.givenMs += pcm.length / bytesPerMs
        if (pcm.some((byte) => byte !== 0)) run.soundMs += pcm.length / bytesPerMs
        return run.givenMs < this.takes
      },
      takenMs: () => run.takenMs,
      settledMs: () => run.settledMs,
      finish: () => {
        run.finished = true
        const words = this.lastWords?.(run)
        if (words) run.say(words)
        if (!this.stubborn) run.end({ complete: true, why: 'exit code 0' })
      },
      kill: () => {
        run.killed = true
        run.end({ why: 'SIGKILL' })
      },
      ended: promise,
    }
  }
}
