import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type { FfmpegProgram, FilmItem, FilmPlan, FilmSound } from '../src/platform/film/film.types.ts'
import { filmNiceness } from '../src/platform/film/film-children.ts'
import { renderInProcess } from '../src/platform/film/film-process.ts'
import { findFfmpeg } from '../src/platform/film/find-ffmpeg.ts'
import { type Bench, compared, type Figure, median, seconds } from './harness.ts'

const filmSeconds = 120
const filmClip = { at: 40, seconds: 20 }
const rounds = 3
const startsAt = Date.UTC(2026, 8, 4, 9, 12, 31)
const require = createRequire(import.meta.url)
const run = promisify(execFile)

const captionText = (index: number): string => `Focus moved to window ${index}`

/** What was captured, as plain files; the baseline reads them, our renderer gets their bytes. */
interface Input {
  readonly directory: string
  readonly stills: readonly string[]
  readonly faces: readonly string[]
  readonly clip: string
  readonly sounds: readonly string[]
}

const editorPicture = (step: number): Buffer => {
  const lines = Array.from({ length: 14 + (step % 20) }, (_, line) => {
    const colour = `hsl(${(line * 37) % 360},70%,75%)`
    return `<text x="60" y="${120 + line * 28}" font-size="21" fill="${colour}" font-family="monospace">const value${line} = compute(${line * step}) // ${line}</text>`
  })
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080"><rect width="1920" height="1080" fill="#1e1e2e"/><rect width="1920" height="60" fill="#313244"/>${lines.join('')}</svg>`,
  )
}
const facePicture = (step: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><circle cx="${300 + step * 4}" cy="220" r="120" fill="#e8c39e"/><rect x="170" y="350" width="300" height="130" rx="60" fill="#345"/></svg>`,
  )

/** Noise through a band, coming and going: as hard for a sound encoder as speech. */
const voice = 'anoisesrc=c=pink:a=0.4:d=10,highpass=f=200,lowpass=f=3000,tremolo=f=4:d=0.8'

const makeInput = async (directory: string, ffmpeg: string): Promise<Input> => {
  const path = (name: string) => join(directory, name)
  const numbered = (count: number, name: string, extension: string) =>
    Array.from({ length: count }, (_, index) => path(`${name}${index}.${extension}`))
  const input: Input = {
    directory,
    stills: numbered(filmSeconds / 5, 'still', 'webp'),
    faces: numbered(filmSeconds / 10, 'face', 'jpg'),
    clip: path('clip.mp4'),
    sounds: numbered(filmSeconds / 10, 'sound', 'webm'),
  }
  for (const [step, still] of input.stills.entries()) {
    await sharp(editorPicture(step)).webp({ quality: 75, effort: 2 }).toFile(still)
  }
  for (const [step, face] of input.faces.entries()) {
    const noise = { type: 'gaussian', mean: 120, sigma: 6 } as const
    await sharp({ create: { width: 640, height: 480, channels: 3, background: '#79a', noise } })
      .composite([{ input: facePicture(step) }])
      .jpeg()
      .toFile(face)
  }
  const camera = `testsrc2=size=640x480:rate=15:duration=${filmClip.seconds}`
  await run(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', camera, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', input.clip])
  for (const [index, sound] of input.sounds.entries()) {
    await run(ffmpeg, [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      `${voice},volume=${1 - index / 40}`,
      '-c:a',
      'libopus',
      '-b:a',
      '24k',
      sound,
    ])
  }
  return input
}

const source = async (path: string): Promise<Pick<FilmItem, 'sizeBytes' | 'read' | 'contentType'>> => {
  const bytes = await readFile(path)
  return {
    contentType: 'application/octet-stream',
    sizeBytes: bytes.length,
    read: async function* (range) {
      yield bytes.subarray(range?.start ?? 0, range?.end ?? bytes.length)
    },
  }
}

const during = (beginsMs: number, untilMs: number) => ({ beginsMs, atMs: beginsMs, untilMs, toldUntilMs: untilMs })

const makePlan = async (input: Input): Promise<FilmPlan> => {
  const still = async (path: string, at: number, hold: number): Promise<FilmItem> => ({
    kind: 'still',
    id: path,
    ...during(at * 1000, (at + hold) * 1000),
    ...(await source(path)),
  })
  const sound = async (path: string, index: number): Promise<FilmSound> => ({
    id: path,
    ...during(index * 10_000, (index + 1) * 10_000),
    ...(await source(path)),
  })
  const clipUntil = filmClip.at + filmClip.seconds
  const faces = await Promise.all(input.faces.map((path, index) => still(path, index * 10, 10)))
  const outside = faces.filter(({ atMs }) => atMs < filmClip.at * 1000 || atMs >= clipUntil * 1000)
  const clip: FilmItem = {
    kind: 'clip',
    id: input.clip,
    ...during(filmClip.at * 1000, clipUntil * 1000),
    ...(await source(input.clip)),
  }
  return {
    durationMs: filmSeconds * 1000,
    startsAt,
    screen: {
      name: '',
      texts: [],
      emptyText: 'No screen',
      items: await Promise.all(input.stills.map((path, index) => still(path, index * 5, 5))),
    },
    insets: [{ name: 'Webcam', texts: [], emptyText: 'No camera', items: [...outside, clip] }],
    sound: await Promise.all(input.sounds.map(sound)),
    captions: Array.from({ length: filmSeconds / 10 }, (_, index) => ({
      fromMs: index * 10_000 + 2000,
      toMs: index * 10_000 + 6000,
      text: captionText(index),
    })),
    chapters: [],
    subtitles: [],
  }
}

/** The same film so many times, one after the other. */
const repeated = (plan: FilmPlan, times: number): FilmPlan => {
  const rounds = Array.from({ length: times }, (_, round) => round * plan.durationMs)
  const later = <T extends FilmSound>(all: readonly T[]) =>
    rounds.flatMap((by) =>
      all.map(({ beginsMs, atMs, untilMs, toldUntilMs, ...item }) => ({
        ...item,
        beginsMs: beginsMs + by,
        atMs: atMs + by,
        untilMs: untilMs + by,
        toldUntilMs: toldUntilMs + by,
      })),
    ) as unknown as T[]
  return {
    ...plan,
    durationMs: plan.durationMs * times,
    screen: { ...plan.screen, items: later(plan.screen.items) },
    insets: plan.insets.map((inset) => ({ ...inset, items: later(inset.items) })),
    sound: later(plan.sound),
  }
}

/** One ffmpeg that makes the same picture of plain files: nothing is sealed, and one broken file ends it. */
const bareArguments = async (input: Input): Promise<string[]> => {
  const list = async (name: string, paths: readonly string[], hold: number): Promise<string[]> => {
    const lines = paths.map((path) => `file '${path}'\nduration ${hold}\n`)
    const path = join(input.directory, `${name}.txt`)
    await writeFile(path, `ffconcat version 1.0\n${lines.join('')}`)
    return ['-f', 'concat', '-safe', '0', '-i', path]
  }
  const font = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
  const clock = `%{pts\\:gmtime\\:${startsAt / 1000}\\:%Y-%m-%d %H\\\\\\:%M\\\\\\:%S} UTC`
  const since = '%{pts\\:gmtime\\:0\\:%H\\\\\\:%M\\\\\\:%S}'
  const words = Array.from({ length: filmSeconds / 10 }, (_, index) => {
    const on = `between(t,${index * 10 + 2},${index * 10 + 6})`
    return `drawtext=fontfile=${font}:text='${captionText(index)}':x=326:y=680:fontsize=18:enable='${on}'`
  })
  const drawn = [
    'drawbox=x=978:y=478:w=290:h=166:color=0x585858:t=2,drawbox=x=980:y=480:w=286:h=162:color=white:t=2',
    'drawbox=x=0:y=656:w=1280:h=64:color=0xfafafa:t=fill,drawbox=x=0:y=656:w=1280:h=2:color=0xc8c8c8:t=fill',
    `drawtext=fontfile=${font}:text='${clock}':x=20:y=668:fontsize=19`,
    `drawtext=fontfile=${font}:text='${since}':x=20:y=694:fontsize=14`,
    ...words,
  ]
  const filter = [
    '[0:v]scale=1280:656:force_original_aspect_ratio=decrease:force_divisible_by=2,pad=1280:720:(ow-iw)/2:0:0xdcdcdc,format=yuv420p,fps=10[screen]',
    '[1:v]scale=282:158,format=yuv420p,fps=10[faces]',
    '[2:v]fps=10,scale=282:158[clip]',
    '[screen][faces]overlay=982:482[first]',
    `[first][clip]overlay=982:482:eof_action=pass:enable='between(t,${filmClip.at},${filmClip.at + filmClip.seconds})'[second]`,
    `[second]${drawn.join(',')}[out]`,
  ]
  return [
    ...['-v', 'error', '-nostdin', '-y'],
    ...(await list('stills', input.stills, 5)),
    ...(await list('faces', input.faces, 10)),
    ...['-itsoffset', String(filmClip.at), '-i', input.clip],
    ...(await list('sounds', input.sounds, 10)),
    ...['-filter_complex', filter.join(';'), '-map', '[out]', '-map', '3:a', '-t', String(filmSeconds), '-r', '10'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p', '-g', '50'],
    ...['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '96k', '-ac', '1', '-ar', '48000'],
    ...['-movflags', '+faststart', join(input.directory, 'bare.mp4')],
  ]
}

const renderBare = async (ffmpeg: string, args: readonly string[]): Promise<void> => {
  const child = spawn(ffmpeg, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (child.pid) setPriority(child.pid, filmNiceness)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the bare ffmpeg ended with ${code}`)
}

/** The most memory that the process which renders held so far, MiB; 0 where there is none. */
const peakOfRenderer = (): number => {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  const peaks = children.map((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('film-process.worker')) return 0
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    } catch {
      // It has ended.
      return 0
    }
  })
  return Math.max(0, ...peaks)
}

/** Ours to the end, in a process of its own as in the service: the film is read back as well, as it is when it goes into the store. */
const renderOurs = async (plan: FilmPlan, input: Input, ffmpeg: FfmpegProgram) => {
  const film = await renderInProcess(plan, {
    ffmpeg,
    tempDir: join(input.directory, 'tmp'),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  // The mark in the kernel does not fall again.
  const peak = peakOfRenderer()
  for await (const _ of film.read());
  await film.discard()
  return peak
}

/** Processor seconds of this process and of all children that have ended, from the kernel's count of 10 ms ticks. */
const processorSeconds = (): number => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}
const spent = async (work: () => Promise<unknown>): Promise<{ wall: number; processor: number }> => {
  const before = processorSeconds()
  const wall = await seconds(work)
  return { wall, processor: processorSeconds() - before }
}

const measure = async (input: Input, ffmpeg: FfmpegProgram): Promise<Figure[]> => {
  const [plan, args] = [await makePlan(input), await bareArguments(input)]
  let short = await renderOurs(plan, input, ffmpeg)
  const ours: { wall: number; processor: number }[] = []
  const bare: typeof ours = []
  for (let round = 0; round < rounds; round++) {
    ours.push(
      await spent(async () => {
        short = Math.max(short, await renderOurs(plan, input, ffmpeg))
      }),
    )
    bare.push(await spent(() => renderBare(ffmpeg.path, args)))
  }
  const long = await renderOurs(repeated(plan, 3), input, ffmpeg)
  const speed = (all: typeof ours, kind: 'wall' | 'processor') => median(all.map((one) => filmSeconds / one[kind]))
  const times = speed(ours, 'wall')
  const bySeconds = [speed(ours, 'processor'), speed(bare, 'processor'), 'seconds of film'] as const
  return [
    compared(
      'a film of 2 minutes at 1280 × 720, against one ffmpeg over plain files',
      ...([times, speed(bare, 'wall'), 'seconds of film a second', { atLeast: 0.9 }] as const),
    ),
    compared('the same for each second of processor time, ours with all its children', ...bySeconds, { atLeast: 0.9 }),
    compared('the same, by the next goal', ...bySeconds, { atLeast: 1 }),
    {
      name: 'the same, against its length',
      value: `${times.toFixed(1)} times real time`,
      goal: '≥ 4',
      met: times >= 4,
    },
    {
      name: 'resident memory at most of the process that renders, without ffmpeg, 2 minutes and 6 minutes',
      value: `${Math.round(short)} and ${Math.round(long)} MiB`,
      goal: '≤ 150 MiB, grows by < 64 MiB',
      met: long <= 150 && long - short < 64,
    },
  ]
}

export const compositions: Bench = {
  name: 'Compositions',
  what: 'Stills every 5 seconds, camera pictures every 10, one camera recording of 20 seconds, Opus chunks of 10 seconds; sealed on the way. The baseline is one ffmpeg over plain files that draws the same picture with the same encoder settings.',
  async run() {
    const ffmpeg = await findFfmpeg({})
    if (!ffmpeg) throw new Error('there is no ffmpeg on this machine')
    const directory = await mkdtemp(join(tmpdir(), 'bench-film-'))
    try {
      return await measure(await makeInput(directory, ffmpeg.path), ffmpeg)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
}
