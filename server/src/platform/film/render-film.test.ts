import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildItem,
  buildPlan,
  buildSound,
  type Frame,
  ffmpeg,
  makeMedia,
  makeStill,
  makeTone,
  smallFrame,
  type WatchedFilm,
  watchFilm,
} from '../../../test/test-support/film-fixtures.ts'
import type { FilmPlan } from './film.types.ts'
import { layoutFilm } from './film-layout.ts'
import { boxesIn } from './mp4-boxes.ts'
import type { Rectangle } from './pictures.ts'

const middle = ({ x, y, width, height }: Rectangle): [number, number] => [x + width / 2, y + height / 2]

/** All pixels of a rectangle. */
const pixels = (frame: Frame, { x, y, width, height }: Rectangle): number[] => {
  const rows = Array.from({ length: height }, (_, row) =>
    frame.data.subarray(((y + row) * frame.width + x) * 3, ((y + row) * frame.width + x + width) * 3),
  )
  return [...Buffer.concat(rows)]
}
const darkPixels = (frame: Frame, at: Rectangle): number => pixels(frame, at).filter((value) => value < 130).length / 3
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
/** Mean difference of two frames within a rectangle; what encoding alone changes is below 1. */
const difference = (a: Frame, b: Frame, at: Rectangle): number => {
  const [left, right] = [pixels(a, at), pixels(b, at)]
  return mean(left.map((value, index) => Math.abs(value - (right[index] as number))))
}
const expectColour = (actual: readonly number[], wanted: readonly number[]) => {
  for (const [index, value] of wanted.entries()) expect(Math.abs((actual[index] as number) - value)).toBeLessThan(16)
}
/** Light, without colour, and with words in it. */
const expectCard = (frame: Frame, at: Rectangle) => {
  const values = pixels(frame, at)
  expect(mean(values)).toBeGreaterThan(200)
  const colour = values.filter(
    (value, index) => index % 3 !== 0 && Math.abs(value - (values[index - 1] as number)) > 12,
  )
  expect(colour).toHaveLength(0)
  expect(values.filter((value) => value < 185).length).toBeGreaterThan(30)
}

const red = [220, 30, 30] as const
const blue = [30, 60, 200] as const
const green = [40, 160, 60] as const
const css = (rgb: readonly number[]) => `rgb(${rgb.join(',')})`

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'film-test-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Twelve seconds in which everything happens that can happen to a track. */
const makeStory = async (): Promise<FilmPlan> => {
  const camera = [
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=320x240:rate=15:duration=5',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
  ]
  const clip = await makeMedia('mp4', camera)
  const [low, high] = [await makeTone(440, 2), await makeTone(880, 2, 'wav')]
  return buildPlan({
    durationMs: 12_000,
    screen: [
      buildItem('still', [0, 5000], await makeStill(css(red))),
      buildItem('still', [4000, 8000], await makeStill(css(blue))),
      buildItem('still', [10_000, 12_000], Buffer.from('\xff\xd8\xff not a picture', 'latin1')),
    ],
    screenGaps: [{ fromMs: 7000, toMs: 10_000, text: 'The display was off' }],
    corner: [
      buildItem('still', [0, 3000], await makeStill(css(green))),
      buildItem('clip', [3000, 8000], clip),
      buildItem('clip', [8000, 10_000], clip.subarray(0, clip.length / 2)),
    ],
    sound: [
      buildSound(1000, 2000, low),
      buildSound(4000, 1000, Buffer.from('\x1a\x45\xdf\xa3 not a sound', 'latin1')),
      buildSound(6000, 2000, high),
      buildSound(7990, 2000, low),
    ],
  })
}

describe.skipIf(!ffmpeg)('a film', () => {
  const layout = layoutFilm(smallFrame.width, smallFrame.height)
  const { place: corner, outline } = layout.insets[0]
  let plan: FilmPlan
  let watched: WatchedFilm
  beforeAll(async () => {
    plan = await makeStory()
    watched = await watchFilm(plan, directory)
  })

  it('is H.264 and AAC of the size and length that was asked for', async () => {
    const { format, streams } = await watched.probe()
    expect(streams.map((stream) => stream['codec_name'])).toEqual(['h264', 'aac'])
    expect(streams[0]).toMatchObject({
      width: 320,
      height: 180,
      pix_fmt: 'yuv420p',
      nb_frames: '120',
      color_space: 'bt709',
    })
    expect(Number(format['duration'])).toBeCloseTo(12, 2)
    for (const stream of streams) expect(Number(stream['duration'])).toBeCloseTo(12, 1)
    for (const stream of streams) expect(Number(stream['start_time'])).toBe(0)
    expect(watched.film).toMatchObject({ durationMs: 12_000, width: 320, height: 180, sizeBytes: watched.bytes.length })
  })

  it('has its index before its media, so that players can seek from the first bytes on', () => {
    expect(boxesIn(watched.bytes).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
  })

  it('holds a still until the next one', async () => {
    const at: [number, number] = [100, 80]
    for (const second of [0, 2, 3.9]) expectColour((await watched.frame(second)).pixel(...at), red)
    for (const second of [4, 6, 7.9]) expectColour((await watched.frame(second)).pixel(...at), blue)
  })

  it('shows the corner over the screen', async () => {
    const frame = await watched.frame(2)
    expectColour(frame.pixel(...middle(corner)), green)
    expectColour(frame.pixel(outline.x - 4, corner.y), red)
  })

  it('plays a recording whose index stands at its end', async () => {
    const clip = plan.insets[0]?.items[1]
    const pieces: Uint8Array[] = []
    for await (const piece of clip?.read() ?? []) pieces.push(piece)
    const types = boxesIn(Buffer.concat(pieces)).map(({ type }) => type)
    expect(types.indexOf('moov')).toBeGreaterThan(types.indexOf('mdat'))

    const [first, later] = [await watched.frame(3.5), await watched.frame(5.5)]
    expect(difference(first, later, corner)).toBeGreaterThan(5)
    expect(difference(first, later, { ...layout.screen, width: corner.x - 8 })).toBeGreaterThan(20)
  })

  it('says why there is no picture on a light card', async () => {
    expectCard(await watched.frame(9), { ...layout.screen, width: outline.x - 2 })
    expectCard(await watched.frame(11), corner)
  })

  it('says that an item could not be decoded, and goes on', async () => {
    expectCard(await watched.frame(11), { ...layout.screen, width: outline.x - 2 })
    expectCard(await watched.frame(9), corner)
    expect(watched.film.undecoded).toEqual([
      { id: expect.any(String), kind: 'sound', atMs: 4000 },
      { id: expect.any(String), kind: 'clip', atMs: 8000 },
      { id: expect.any(String), kind: 'still', atMs: 10_000 },
    ])
  })

  it('is heard where there was sound, and silent elsewhere', async () => {
    for (const [from, to] of [
      [0, 0.95],
      [3.05, 5.95],
      [10.05, 12],
    ] as const) {
      expect((await watched.sound(from, to)).rms).toBeLessThan(0.002)
    }
    for (const [from, to, hertz] of [
      [1.02, 2.98, 440],
      [6.02, 7.98, 880],
      [8.02, 9.95, 440],
    ] as const) {
      const { rms, crossings } = await watched.sound(from, to)
      expect(rms).toBeGreaterThan(0.05)
      expect(Math.abs(crossings - hertz)).toBeLessThan(8)
    }
  })

  it('begins and ends a sound within a frame of AAC of its moment', async () => {
    expect((await watched.sound(0.9, 0.975)).rms).toBeLessThan(0.002)
    expect((await watched.sound(1.025, 1.1)).rms).toBeGreaterThan(0.05)
    expect((await watched.sound(9.9, 9.975)).rms).toBeGreaterThan(0.05)
    expect((await watched.sound(10.025, 10.1)).rms).toBeLessThan(0.002)
  })

  it('is the same, byte for byte, when it is rendered again', async () => {
    const again = await watchFilm(plan, directory)
    expect(again.bytes.equals(watched.bytes)).toBe(true)
  })

  it('leaves no temporary file', async () => {
    expect(await readdir(join(directory, 'tmp'))).toEqual([])
  })
})

describe.skipIf(!ffmpeg)('the strip below the picture', () => {
  const layout = layoutFilm(1280, 720)
  const { strip, divider } = layout
  const words: Rectangle = {
    x: divider + 8,
    y: strip.y + 4,
    width: strip.width - divider - 8,
    height: strip.height - 4,
  }
  const clock: Rectangle = { x: 0, y: strip.y + 4, width: divider - 4, height: strip.height - 4 }
  let watched: WatchedFilm
  beforeAll(async () => {
    const plan = buildPlan({
      durationMs: 6000,
      captions: [
        { fromMs: 1000, toMs: 2000, text: 'Focus moved to <b>Terminal</b> & back' },
        { fromMs: 3000, toMs: 4000, text: `${'<span>&lt; \u0000\ud800 '.repeat(400)}` },
        { fromMs: 4000, toMs: 5000, text: ' \n ' },
      ],
    })
    watched = await watchFilm(plan, directory, { frame: { width: 1280, height: 720, framesPerSecond: 10 } })
  })

  it('has a caption exactly during its span', async () => {
    for (const second of [0.5, 0.9, 2, 2.5]) expect(darkPixels(await watched.frame(second), words)).toBe(0)
    for (const second of [1, 1.5, 1.9]) expect(darkPixels(await watched.frame(second), words)).toBeGreaterThan(300)
  })

  it('shows markup as it was written', async () => {
    const plain = await watchFilm(
      buildPlan({ durationMs: 2000, captions: [{ fromMs: 1000, toMs: 2000, text: 'Focus moved to Terminal  back' }] }),
      directory,
      { frame: { width: 1280, height: 720, framesPerSecond: 10 } },
    )
    const [marked, unmarked] = [await watched.frame(1.5), await plain.frame(1.5)]
    expect(darkPixels(marked, words)).toBeGreaterThan(darkPixels(unmarked, words) * 1.2)
  })

  it('cuts what is too long, within its margins', async () => {
    const frame = await watched.frame(3.5)
    expect(darkPixels(frame, words)).toBeGreaterThan(2000)
    const margin = { x: strip.width - 16, y: strip.y + 4, width: 16, height: strip.height - 4 }
    expect(darkPixels(frame, margin)).toBe(0)
    expect(darkPixels(frame, { ...words, y: strip.y + strip.height - 4, height: 4 })).toBe(0)
  })

  it('shows nothing for a caption of spaces', async () => {
    expect(darkPixels(await watched.frame(4.5), words)).toBe(0)
  })

  it('shows another time each second, and the same within one', async () => {
    const frames = await Promise.all([2, 2.5, 2.9, 3.1].map((second) => watched.frame(second)))
    const [first, same, still, next] = frames as [Frame, Frame, Frame, Frame]
    expect(darkPixels(first, clock)).toBeGreaterThan(500)
    const change = difference(first, next, clock)
    expect(change).toBeGreaterThan(0.5)
    expect(difference(first, same, clock)).toBeLessThan(change / 3)
    expect(difference(first, still, clock)).toBeLessThan(change / 3)
  })
})
