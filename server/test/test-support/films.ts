import type { FilmItem, FilmOptions, FilmPlan, RenderedFilm, Undecoded } from '../../src/platform/film/film.types.ts'
import type { FilmEngine } from '../../src/platform/film/film-engine.ts'

/** A render as the engine was asked for it. */
export interface AskedRender {
  readonly plan: FilmPlan
  readonly options: FilmOptions
}

/** A film engine that makes no film but bytes that name what they were made of: a port's fake. */
export interface ScriptedFilms extends FilmEngine {
  readonly renders: readonly AskedRender[]
  /** Resolves with the next render that begins, which then waits for its signal or for `goOn`. */
  hold(): Promise<AskedRender>
  goOn(): void
  /** Lets what is held now go on when it is called, whatever is held later. */
  release(): () => void
  /** The next renders fail with this. */
  failWith(error: Error | undefined): void
  /** Nothing is held and nothing fails. */
  reset(): void
  /** False: there is no ffmpeg. */
  installed: boolean
  /** False: nothing on the screen can be decoded; `killed`: whoever tries is ended from outside. */
  decodes: boolean | 'killed'
  /** Films that were handed out and not discarded. */
  open: number
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })

/** Bytes that begin like an MP4 and differ with the plan; long enough for ranges over the borders of sealed chunks. */
const bytesOf = (plan: FilmPlan): Buffer => {
  const of = (items: readonly { atMs: number; sizeBytes: number }[]) => items.map((i) => `${i.atMs}:${i.sizeBytes}`)
  const places = [plan.screen, ...plan.insets].map(({ items }) => of(items))
  const text = JSON.stringify([plan.durationMs, ...places, of(plan.sound)])
  return Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.from(text.padEnd(80_000, '.'))])
}

const undecodedOf =
  (wasKilled: boolean) =>
  ({ id, kind, atMs }: FilmItem): Undecoded => ({ id, kind, atMs, ...(wasKilled && { wasKilled }) })

export const createScriptedFilms = (): ScriptedFilms => {
  const renders: AskedRender[] = []
  let began: PromiseWithResolvers<AskedRender> | undefined
  let held: PromiseWithResolvers<void> | undefined
  let failure: Error | undefined
  const films: ScriptedFilms = {
    renders,
    installed: true,
    decodes: true,
    open: 0,
    hold: () => {
      began = Promise.withResolvers<AskedRender>()
      held = Promise.withResolvers<void>()
      return began.promise
    },
    goOn: () => held?.resolve(),
    release: () => {
      const now = held
      return () => now?.resolve()
    },
    failWith: (error) => {
      failure = error
    },
    reset: () => {
      held?.resolve()
      held = undefined
      began = undefined
      failure = undefined
      films.installed = true
      films.decodes = true
    },
    find: async () =>
      films.installed ? { path: '/nowhere/ffmpeg', version: 'ffmpeg version 0 (scripted)' } : undefined,
    render: async (plan, options): Promise<RenderedFilm> => {
      renders.push({ plan, options })
      const waiting = held
      began?.resolve({ plan, options })
      began = undefined
      if (waiting) await Promise.race([waiting.promise, aborted(options.signal)])
      if (failure) throw failure
      const bytes = bytesOf(plan)
      films.open += 1
      return {
        sizeBytes: bytes.length,
        durationMs: plan.durationMs,
        width: options.frame?.width ?? 0,
        height: options.frame?.height ?? 0,
        command: 'ffmpeg -i film',
        undecoded: films.decodes === true ? [] : plan.screen.items.map(undecodedOf(films.decodes === 'killed')),
        read: async function* () {
          yield bytes
        },
        discard: async () => {
          films.open -= 1
        },
      }
    },
  }
  return films
}
