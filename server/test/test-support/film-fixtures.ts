import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type {
  FilmItem,
  FilmOptions,
  FilmPlan,
  FilmSound,
  FilmText,
  RenderedFilm,
} from '../../src/platform/film/film.types.ts'
import { findFfmpeg } from '../../src/platform/film/find-ffmpeg.ts'
import { soundRate } from '../../src/platform/film/matroska-stream.ts'
import { renderFilm } from '../../src/platform/film/render-film.ts'

const run = promisify(execFile)
const binary = { encoding: 'buffer', maxBuffer: 2 ** 28 } as const

/** The ffmpeg of this machine, if it has one. */
export const ffmpeg = await findFfmpeg({})
const program = (): string => ffmpeg?.path ?? 'ffmpeg'

/** Bytes of a file that ffmpeg makes of some input; `extension` chooses the container. */
export const makeMedia = async (extension: string, args: readonly string[]): Promise<Buffer> => {
  const directory = await mkdtemp(join(tmpdir(), 'media-'))
  try {
    const path = join(directory, `made.${extension}`)
    await run(program(), ['-v', 'error', ...args, path])
    return await readFile(path)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** A tone of that many hertz. */
export const makeTone = (hertz: number, seconds: number, extension = 'webm'): Promise<Buffer> =>
  makeMedia(extension, ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${seconds}`])

export const makeStill = (colour: string, width = 640, height = 360): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()

const reader = (bytes: Buffer): FilmItem['read'] =>
  async function* (range) {
    // In pieces, as a store gives them.
    const { start, end } = range ?? { start: 0, end: bytes.length }
    for (let at = start; at < end; at += 65_536) yield bytes.subarray(at, Math.min(end, at + 65_536))
  }

let made = 0
const numbered = () => {
  made += 1
  return { id: `item-${made}` }
}

export const buildItem = (
  kind: 'still' | 'clip',
  span: readonly [number, number],
  bytes: Buffer,
  overrides: Partial<FilmItem> = {},
): FilmItem => ({
  kind,
  ...numbered(),
  beginsMs: span[0],
  atMs: span[0],
  untilMs: span[1],
  toldUntilMs: span[1],
  contentType: kind === 'still' ? 'image/png' : 'video/mp4',
  sizeBytes: bytes.length,
  read: reader(bytes),
  ...overrides,
})

export const buildSound = (
  beginsMs: number,
  durationMs: number,
  bytes: Buffer,
  overrides: Partial<FilmSound> = {},
): FilmSound => ({
  ...numbered(),
  beginsMs,
  atMs: beginsMs,
  untilMs: beginsMs + durationMs,
  toldUntilMs: beginsMs + durationMs,
  contentType: 'audio/webm',
  sizeBytes: bytes.length,
  read: reader(bytes),
  ...overrides,
})

/** The two places of most films, flat. */
interface PlanOverrides extends Partial<Omit<FilmPlan, 'screen' | 'insets'>> {
  readonly screen?: readonly FilmItem[]
  readonly screenGaps?: readonly FilmText[]
  readonly corner?: readonly FilmItem[]
  readonly cornerGaps?: readonly FilmText[]
  readonly insets?: FilmPlan['insets']
}

export const buildPlan = ({ screen, screenGaps, corner, cornerGaps, ...overrides }: PlanOverrides = {}): FilmPlan => ({
  durationMs: 2000,
  startsAt: Date.UTC(2026, 8, 4, 9, 12, 31),
  screen: { name: '', items: screen ?? [], texts: screenGaps ?? [], emptyText: 'No screen' },
  insets: [{ name: '', items: corner ?? [], texts: cornerGaps ?? [], emptyText: 'No camera' }],
  sound: [],
  captions: [],
  chapters: [],
  subtitles: [],
  ...overrides,
})

export const smallFrame = { width: 320, height: 180, framesPerSecond: 10 }

/** Renders into `directory`; the frame is small unless it says otherwise. */
export const startRender = (
  plan: FilmPlan,
  directory: string,
  overrides: Partial<FilmOptions> = {},
): Promise<RenderedFilm> =>
  renderFilm(plan, {
    ffmpeg: ffmpeg ?? { path: 'ffmpeg', version: 'none' },
    tempDir: join(directory, 'tmp'),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    frame: smallFrame,
    ...overrides,
  })

export const filmBytes = async (film: RenderedFilm): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for await (const piece of film.read()) pieces.push(piece)
  return Buffer.concat(pieces)
}

export interface WatchedFilm {
  readonly film: Omit<RenderedFilm, 'read' | 'discard'>
  readonly bytes: Buffer
  readonly path: string
  /** What ffprobe says. */
  probe(): Promise<{ format: Record<string, string>; streams: Record<string, string>[] }>
  /** The picture at a second, as RGB. */
  frame(second: number): Promise<Frame>
  /** Sound between two seconds: its root mean square (full scale is 1) and how often it crosses zero each second. */
  sound(from: number, to: number): Promise<{ rms: number; crossings: number }>
}
export interface Frame {
  readonly width: number
  readonly data: Buffer
  pixel(x: number, y: number): readonly [number, number, number]
}

/** Renders a film, writes it into `directory` and looks at it with ffmpeg and ffprobe. */
export const watchFilm = async (
  plan: FilmPlan,
  directory: string,
  overrides: Partial<FilmOptions> = {},
): Promise<WatchedFilm> => {
  const film = await startRender(plan, directory, overrides)
  const bytes = await filmBytes(film)
  await film.discard()
  const path = join(directory, `${Math.random().toString(36).slice(2)}.mp4`)
  await writeFile(path, bytes)
  let decoded: Promise<{ stdout: Buffer }> | undefined
  return {
    film,
    bytes,
    path,
    probe: async () => {
      const args = ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path]
      return JSON.parse((await run(program().replace(/ffmpeg$/, 'ffprobe'), args)).stdout)
    },
    frame: async (second) => {
      const seek = ['-v', 'error', '-ss', String(second), '-i', path, '-frames:v', '1']
      const { stdout: data } = await run(program(), [...seek, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], binary)
      const pixel = (x: number, y: number) => {
        const at = (y * film.width + x) * 3
        return [data[at] ?? -1, data[at + 1] ?? -1, data[at + 2] ?? -1] as const
      }
      return { width: film.width, data, pixel }
    },
    sound: async (from, to) => {
      const toSamples = ['-v', 'error', '-i', path, '-vn', '-ac', '1', '-ar', String(soundRate), '-f', 's16le', '-']
      decoded ??= run(program(), toSamples, binary)
      const { stdout } = await decoded
      const [start, end] = [from, to].map((second) => Math.round(second * soundRate) * 2)
      return loudness(stdout.subarray(start, end), to - from)
    },
  }
}

const loudness = (pcm: Buffer, seconds: number): { rms: number; crossings: number } => {
  let [squares, crossings, before] = [0, 0, 0]
  for (let at = 0; at + 1 < pcm.length; at += 2) {
    const sample = pcm.readInt16LE(at) / 32_768
    squares += sample * sample
    if (sample > 0 !== before > 0) crossings += 1
    before = sample
  }
  return { rms: Math.sqrt(squares / Math.max(1, pcm.length / 2)), crossings: crossings / 2 / seconds }
}
