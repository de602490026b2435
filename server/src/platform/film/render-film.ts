import { CaptionStrip } from './caption-strip.ts'
import type { FilmOptions, FilmPlace, FilmPlan, FilmSound, RenderedFilm, Undecoded } from './film.types.ts'
import { FilmCanvas } from './film-canvas.ts'
import { undecodedCaptions } from './film-cards.ts'
import { FilmChildren } from './film-children.ts'
import { encoderArguments, FilmEncoder } from './film-encoder.ts'
import { FilmError } from './film-error.ts'
import { type FilmLayout, layoutFilm, mostInsets } from './film-layout.ts'
import { captionSpans, placeSpans } from './film-spans.ts'
import { ItemServer } from './item-server.ts'
import { soundRate } from './matroska-stream.ts'
import type { EncodedFilm } from './mp4-fragments.ts'
import { filmHead } from './mp4-head.ts'
import { type SubtitleSample, subtitleSamples } from './mp4-subtitles.ts'
import { PictureTrack } from './picture-track.ts'
import { clearFilmTemp, SealedFile } from './sealed-file.ts'
import { SoundTrack } from './sound-track.ts'

export { clearFilmTemp } from './sealed-file.ts'

const defaultFrame = { width: 1280, height: 720, framesPerSecond: 10 }
/** Times of sound are 32-bit numbers of samples in an MP4. */
const longestFilmMs = 24 * 60 * 60 * 1000
const progressEveryMs = 300

interface Render {
  readonly plan: FilmPlan
  readonly options: FilmOptions
  readonly layout: FilmLayout
  readonly framesPerSecond: number
  readonly frames: number
  readonly children: FilmChildren
  readonly server: ItemServer
  readonly file: SealedFile
  /** By item, so that one that comes back is told of once. */
  readonly undecoded: Map<string, Undecoded>
}

const checkPlan = (plan: FilmPlan, frame: typeof defaultFrame): void => {
  const { width, height, framesPerSecond } = frame
  const isShort = plan.durationMs > 0 && plan.durationMs <= longestFilmMs
  if (!isShort) throw new FilmError('invalid_plan', 'a film lasts more than nothing and at most 24 hours')
  if (plan.insets.length > mostInsets)
    throw new FilmError('invalid_plan', `over the screen there is room for ${mostInsets} places`)
  const isEven = [width, height].every((side) => Number.isInteger(side) && side % 2 === 0 && side >= 64 && side <= 4096)
  if (!isEven) throw new FilmError('invalid_plan', 'a frame has even sides of 64 to 4096 pixels')
  if (!Number.isInteger(framesPerSecond) || framesPerSecond < 1 || framesPerSecond > 60) {
    throw new FilmError('invalid_plan', 'a film has 1 to 60 whole frames a second')
  }
}

const noteUndecoded =
  ({ undecoded }: Render) =>
  (item: FilmSound & { readonly kind?: 'still' | 'clip' }, wasKilled: boolean): void => {
    const { id, kind = 'sound', atMs } = item
    if (undecoded.has(id)) return
    undecoded.set(id, { id, kind, atMs: Math.max(0, atMs), ...(wasKilled && { wasKilled }) })
  }

const openTrack = (render: Render, place: FilmPlace, size: { width: number; height: number }): PictureTrack => {
  const { plan, layout, framesPerSecond, frames, children, server } = render
  const isScreen = place === plan.screen
  return new PictureTrack({
    spans: placeSpans(place, frames, framesPerSecond),
    width: size.width,
    height: size.height,
    card: { textSize: isScreen ? layout.cardText.screen : layout.cardText.inset, hasEdge: isScreen },
    onUndecoded: noteUndecoded(render),
    framesPerSecond,
    children,
    server,
  })
}

const openSound = (render: Render): SoundTrack => {
  const { plan, children, server, frames, framesPerSecond } = render
  const samples = Math.round((frames * soundRate) / framesPerSecond)
  return new SoundTrack({ sounds: plan.sound, children, server, onUndecoded: noteUndecoded(render) }, samples)
}

/** Draws frame by frame what changed, and sends what is new to the encoder: sound a second ahead of the pictures. */
const feed = async (render: Render, encoder: FilmEncoder): Promise<void> => {
  const { plan, options, layout, framesPerSecond, frames } = render
  const places = [plan.screen, ...plan.insets]
  const sizes = [layout.screen, ...layout.insets.map(({ place }) => place)]
  const tracks = places.map((place, i) => openTrack(render, place, sizes[i] ?? layout.screen))
  const sound = openSound(render)
  const captions = captionSpans(plan.captions, frames, framesPerSecond)
  const { startsAt, durationMs } = plan
  const strip = await CaptionStrip.create({ layout, startsAt, durationMs, framesPerSecond, captions })
  const canvas = new FilmCanvas(layout, places)
  const samples = Math.round((frames * soundRate) / framesPerSecond)
  let reported = performance.now()
  for (let frame = 0; frame < frames; frame++) {
    if (frame % framesPerSecond === 0) {
      const second = frame / framesPerSecond
      const piece = await sound.next(Math.min(soundRate, samples - second * soundRate))
      await encoder.writeSound(piece, second * 1000)
    }
    const now = []
    for (const track of tracks) now.push(await track.at(frame))
    const isRedrawn = await canvas.draw(now)
    const atMs = (frame * 1000) / framesPerSecond
    const isRelabelled = await strip.draw(frame, canvas.picture, [
      ...(now.some(({ isUndecoded }) => isUndecoded) ? [undecodedCaptions.picture] : []),
      ...(now.some(({ isSpoiled }) => isSpoiled) ? [undecodedCaptions.part] : []),
      ...(sound.isUndecodedAt(atMs) ? [undecodedCaptions.sound] : []),
    ])
    // The last frame is always sent: it says where the film ends.
    if (isRedrawn || isRelabelled || frame === frames - 1) await encoder.writePicture(canvas.picture, Math.round(atMs))
    if (performance.now() - reported > progressEveryMs) {
      reported = performance.now()
      options.onProgress(frame / frames)
    }
  }
  await Promise.all([...tracks, sound].map((track) => track.close()))
}

interface Encoded extends EncodedFilm {
  /** Their bytes come after those of pictures and sound. */
  readonly subtitles: readonly SubtitleSample[]
}

const encode = async (render: Render): Promise<Encoded> => {
  const { plan, layout, framesPerSecond, frames, children, file } = render
  const durationMs = (frames * 1000) / framesPerSecond
  const encoder = new FilmEncoder({
    width: layout.width,
    height: layout.height,
    framesPerSecond,
    durationMs,
    children,
    file,
  })
  await feed(render, encoder)
  const encoded = await encoder.finish()
  const subtitles = subtitleSamples(plan.subtitles, durationMs)
  for (const { bytes } of subtitles) await file.append(bytes)
  await file.finish()
  return { ...encoded, subtitles }
}

const finished = (render: Render, encoded: Encoded): RenderedFilm => {
  const { plan, layout, framesPerSecond, frames, file, undecoded } = render
  const durationMs = Math.round((frames * 1000) / framesPerSecond)
  const head = filmHead({ ...encoded, durationMs, mediaBytes: file.size, chapters: plan.chapters })
  return {
    sizeBytes: head.length + file.size,
    durationMs,
    width: layout.width,
    height: layout.height,
    command: ['ffmpeg', ...encoderArguments({ framesPerSecond, durationMs })].join(' '),
    undecoded: [...undecoded.values()].sort((a, b) => a.atMs - b.atMs),
    read: async function* () {
      yield head
      yield* file.read()
    },
    discard: () => file.discard(),
  }
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. */
const orAborted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, promise])
  } catch (error) {
    // Work that loses its children fails in its own way first.
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/**
 * Renders a film: H.264 and AAC in an MP4 with its index first. An item that cannot be decoded is a card that says so
 * (`undecoded` lists them); an item whose bytes cannot be *read* ends the render with what its `read` rejected with.
 * Throws FilmError (`invalid_plan`, `encoder_failed`, `unexpected_output`) or the signal's reason; then no file is left
 * and no child runs.
 */
export const renderFilm = async (plan: FilmPlan, options: FilmOptions): Promise<RenderedFilm> => {
  options.signal.throwIfAborted()
  const frame = options.frame ?? defaultFrame
  checkPlan(plan, frame)
  await clearFilmTemp(options.tempDir)
  const unreadable = new AbortController()
  const signal = AbortSignal.any([options.signal, unreadable.signal])
  const children = new FilmChildren(options.ffmpeg)
  const file = await SealedFile.create(options.tempDir)
  try {
    const server = await ItemServer.start((error) => unreadable.abort(error))
    try {
      const frames = Math.max(1, Math.ceil((plan.durationMs * frame.framesPerSecond) / 1000))
      const { framesPerSecond } = frame
      const layout = layoutFilm(frame.width, frame.height)
      const render: Render = {
        plan,
        options,
        layout,
        framesPerSecond,
        frames,
        children,
        server,
        file,
        undecoded: new Map(),
      }
      const encoded = await orAborted(signal, encode(render))
      options.onProgress(1)
      return finished(render, encoded)
    } finally {
      await children.stop()
      await server.stop()
    }
  } catch (error) {
    await file.discard()
    throw error
  }
}
