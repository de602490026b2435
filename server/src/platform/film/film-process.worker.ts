import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import type { FilmItem, FilmPlace, FilmPlan, FilmSound, RenderedFilm } from './film.types.ts'
import { FilmError } from './film-error.ts'
import type { FromFilmProcess, RemotePlan, ToFilmProcess } from './film-process.messages.ts'
import { renderFilm } from './render-film.ts'

/** Run by `film-process.ts` as a process of its own: renders one film, sends it, and ends. */

// One picture after the other, and none is asked for twice.
sharp.concurrency(1)
sharp.cache(false)

const stop = new AbortController()
let film: RenderedFilm | undefined

const tell = (message: FromFilmProcess): void => {
  // The server may be gone; then nobody wants to know.
  process.send?.(message, () => undefined)
}

/** Without its channel the process has nothing to wait for. */
const leave = (): void => {
  if (process.connected) process.disconnect()
}

const open = async (url: string, headers: Record<string, string>) => {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>()
  const asked = request(url, { headers, agent: false }, (answer) => {
    if (answer.statusCode === (headers['range'] ? 206 : 200)) resolve(answer)
    else reject(new Error(`an item was answered with ${answer.statusCode}`))
  })
  asked.once('error', reject)
  asked.end()
  return promise
}

const withRead = <T extends FilmItem | FilmSound>({ url, ...item }: Omit<T, 'read'> & { url: string }): T =>
  ({
    ...item,
    async *read(range?: { start: number; end: number }) {
      if (range && range.end <= range.start) return
      yield* await open(url, range ? { range: `bytes=${range.start}-${range.end - 1}` } : {})
    },
  }) as unknown as T

const placeOf = (place: RemotePlan['screen']): FilmPlace => ({ ...place, items: place.items.map(withRead<FilmItem>) })

const planOf = (plan: RemotePlan): FilmPlan => ({
  ...plan,
  screen: placeOf(plan.screen),
  insets: plan.insets.map(placeOf),
  sound: plan.sound.map(withRead<FilmSound>),
})

const render = async ({ plan, ffmpeg, tempDir, frame }: Extract<ToFilmProcess, { kind: 'render' }>): Promise<void> => {
  const onProgress = (progress: number) => tell({ kind: 'progress', progress })
  try {
    film = await renderFilm(planOf(plan), { ffmpeg, tempDir, onProgress, signal: stop.signal, ...(frame && { frame }) })
    const { sizeBytes, durationMs, width, height, command, undecoded } = film
    tell({ kind: 'made', film: { sizeBytes, durationMs, width, height, command, undecoded } })
  } catch (error) {
    const code = error instanceof FilmError ? error.code : null
    tell({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) })
    leave()
  }
}

const send = async (): Promise<void> => {
  if (film) await pipeline(Readable.from(film.read(), { objectMode: false }), process.stdout)
  leave()
}

process.on('message', (message: ToFilmProcess) => void (message.kind === 'render' ? render(message) : send()))
// Also when the server is killed: nothing of it may go on.
process.on('disconnect', () => {
  stop.abort(new Error('nobody waits for this film any more'))
  void film?.discard()
})
