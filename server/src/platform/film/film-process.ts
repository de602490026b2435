import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { nodeEnvironment } from '../child-environment.ts'
import { mallocSettings } from '../malloc-settings.ts'
import type { FilmItem, FilmOptions, FilmPlace, FilmPlan, FilmSound, RenderedFilm } from './film.types.ts'
import { FilmError } from './film-error.ts'
import type { FromFilmProcess, RemotePlan, ToFilmProcess } from './film-process.messages.ts'
import { ItemServer } from './item-server.ts'

const script = fileURLToPath(new URL('./film-process.worker.ts', import.meta.url))
/** Of JavaScript, MiB; pictures and sound are beside it. */
const heapMiB = 96
/** A render takes a twentieth of the film's length on a machine that is free; what waits forever would hold up all others. */
const deadlineOf = ({ durationMs }: FilmPlan): number => 15 * 60_000 + durationMs
/** For its children to end; after that it is killed, and they end with their pipes. Milliseconds. */
const patienceMs = 5000

/** Fonts are looked up by the settings of this machine. */
const environment = (): NodeJS.ProcessEnv => ({
  ...nodeEnvironment(['HOME', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'XDG_CACHE_HOME', 'TMPDIR']),
  // Else what a picture took is kept for the next one, by each thread for itself.
  ...mallocSettings,
})

const remotePlan = (plan: FilmPlan, server: ItemServer): RemotePlan => {
  const remote = <T extends FilmItem | FilmSound>(item: T) => {
    const { url } = server.offer(item)
    // Functions do not cross.
    return { ...item, read: undefined, url }
  }
  const place = (one: FilmPlace) => ({ ...one, items: one.items.map(remote) })
  return { ...plan, screen: place(plan.screen), insets: plan.insets.map(place), sound: plan.sound.map(remote) }
}

const endedWord = ({ code, signal }: { readonly code: number | null; readonly signal: string | null }): FilmError =>
  new FilmError('process_ended', `the process that renders ended with ${signal ?? code} before the film was done`)

/** Settles with what was made, or rejects with why nothing was. */
const made = (child: ChildProcess, options: FilmOptions) => {
  const { promise, resolve, reject } = Promise.withResolvers<Extract<FromFilmProcess, { kind: 'made' }>['film']>()
  child.on('message', (message: FromFilmProcess) => {
    if (message.kind === 'progress') options.onProgress(message.progress)
    else if (message.kind === 'made') resolve(message.film)
    else reject(message.code ? new FilmError(message.code, message.message) : new Error(message.message))
  })
  child.once('error', reject)
  child.once('exit', (code, signal) => reject(endedWord({ code, signal })))
  return promise
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  if (child.connected) child.disconnect()
  child.stdout?.destroy()
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await gone
  clearTimeout(timer)
}

async function* received(child: ChildProcess): AsyncGenerator<Uint8Array> {
  if (!child.connected) throw endedWord({ code: child.exitCode, signal: child.signalCode })
  const gone = once(child, 'exit')
  child.send({ kind: 'send' } satisfies ToFilmProcess)
  yield* child.stdout as Readable
  const [code, signal] = await gone
  if (code !== 0) throw endedWord({ code, signal })
}

/**
 * Renders as `renderFilm` does, in a process of its own: what strangers sent is decoded there, and neither its memory nor
 * its end is the server's. `read` of the film may be called once. Also throws FilmError('process_ended' | 'too_long').
 */
export const renderInProcess = async (plan: FilmPlan, options: FilmOptions): Promise<RenderedFilm> => {
  const { signal, ffmpeg, tempDir, frame } = options
  signal.throwIfAborted()
  const stop = new AbortController()
  const tooLong = () => stop.abort(new FilmError('too_long', 'the film was not done when its time was over'))
  const deadline = setTimeout(tooLong, options.deadlineMs ?? deadlineOf(plan))
  const server = await ItemServer.start((error) => stop.abort(error))
  const child = fork(script, [], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [`--max-old-space-size=${heapMiB}`, '--max-semi-space-size=4'],
    env: environment(),
  })
  const both = AbortSignal.any([signal, stop.signal])
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(both.reason as Error)
  both.addEventListener('abort', onAbort, { once: true })
  try {
    const film = made(child, options)
    child.send({ kind: 'render', plan: remotePlan(plan, server), ffmpeg, tempDir, frame } satisfies ToFilmProcess)
    const facts = await Promise.race([film, aborted])
    return { ...facts, read: () => received(child), discard: () => end(child) }
  } catch (error) {
    await end(child)
    // A process that loses what it reads fails in its own way.
    throw both.aborted ? both.reason : error
  } finally {
    clearTimeout(deadline)
    both.removeEventListener('abort', onAbort)
    await server.stop()
  }
}
