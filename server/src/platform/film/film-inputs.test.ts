import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildItem,
  buildPlan,
  buildSound,
  ffmpeg,
  makeMedia,
  makeStill,
  makeTone,
  smallFrame,
  watchFilm,
} from '../../../test/test-support/film-fixtures.ts'
import { layoutFilm } from './film-layout.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'film-inputs-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const { screen, insets } = layoutFilm(smallFrame.width, smallFrame.height)
const corner = insets[0].place
const isRed = ([r, g, b]: readonly [number, number, number]) => r > 150 && g < 90 && b < 90
const isBlue = ([r, g, b]: readonly [number, number, number]) => r < 90 && g < 90 && b > 150
const isLightGrey = (rgb: readonly [number, number, number]) => Math.min(...rgb) > 190

/** Two seconds of which the left half is red and the right half blue. */
const halves = (extension: string, codec: readonly string[], size = '320x180'): Promise<Buffer> =>
  makeMedia(extension, [
    ...[
      '-f',
      'lavfi',
      '-i',
      `color=red:s=${size}:r=10:d=2,drawbox=x=iw/2:w=iw/2:h=ih:color=blue:t=fill,format=yuv420p`,
    ],
    ...codec,
  ])
const h264 = ['-c:v', 'libx264']
const screenOf = (items: Parameters<typeof buildPlan>[0], durationMs = 2000) => buildPlan({ durationMs, ...items })

describe.skipIf(!ffmpeg)('a recording', () => {
  it.each([
    ['WebM', 'webm', ['-c:v', 'libvpx', '-deadline', 'realtime']],
    ['Matroska', 'mkv', h264],
    ['fragmented MP4', 'mp4', [...h264, '-movflags', '+frag_keyframe+empty_moov']],
  ])('plays from %s', async (_, extension, codec) => {
    const clip = buildItem('clip', [0, 2000], await halves(extension, codec))
    const frame = await (await watchFilm(screenOf({ screen: [clip] }), directory)).frame(1)
    expect(isRed(frame.pixel(60, 40))).toBe(true)
    expect(isBlue(frame.pixel(260, 40))).toBe(true)
  })

  it('stands upright when a telephone held it sideways', async () => {
    const bytes = await halves('mp4', h264)
    const matrix = bytes.indexOf('tkhd') + 4 + 40
    for (const [index, value] of [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000].entries()) {
      bytes.writeInt32BE(value, matrix + index * 4)
    }
    const clip = buildItem('clip', [0, 2000], bytes)
    const frame = await (await watchFilm(screenOf({ screen: [clip] }), directory)).frame(1)
    expect(isRed(frame.pixel(160, 30))).toBe(true)
    expect(isBlue(frame.pixel(160, 130))).toBe(true)
    expect(isLightGrey(frame.pixel(20, 80))).toBe(true)
  })

  it('that began before the film is shown from there on, and its end is not made longer', async () => {
    const colours = await makeMedia('mp4', [
      ...['-f', 'lavfi', '-i', 'color=red:s=320x180:r=10:d=3', '-f', 'lavfi', '-i', 'color=blue:s=320x180:r=10:d=2'],
      ...['-filter_complex', 'concat=n=2', ...h264, '-pix_fmt', 'yuv420p'],
    ])
    const watched = await watchFilm(
      screenOf({ screen: [buildItem('clip', [-2000, 9000], colours, { toldUntilMs: 3000 })] }, 6000),
      directory,
    )
    expect(isRed((await watched.frame(0.5)).pixel(100, 80))).toBe(true)
    expect(isBlue((await watched.frame(1.5)).pixel(100, 80))).toBe(true)
    expect(isLightGrey((await watched.frame(5)).pixel(30, 20))).toBe(true)
    expect(watched.film.undecoded).toEqual([])
  })

  it('that is a list of addresses makes nothing open them', async () => {
    const asked: unknown[] = []
    const trap = createServer((request, response) => {
      asked.push(request.url)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(trap, 'listening')
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/secret.mp4`
    const lists = [
      `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${url}\n`,
      `ffconcat version 1.0\nfile '${url}'\n`,
      `\0\0\0\x0cftypisom#EXTM3U\n#EXTINF:5,\n${url}\n`,
    ]
    const screenItems = lists.map((text, index) =>
      buildItem('clip', [index * 500, index * 500 + 500], Buffer.from(text, 'latin1')),
    )
    const watched = await watchFilm(screenOf({ screen: screenItems }), directory)
    trap.close()
    expect(asked).toEqual([])
    expect(watched.film.undecoded).toHaveLength(3)
  })
})

describe.skipIf(!ffmpeg)('a still', () => {
  it('of another shape is shown whole, on light grey', async () => {
    const tall = buildItem('still', [0, 2000], await makeStill('red', 200, 400))
    const frame = await (await watchFilm(screenOf({ screen: [tall], corner: [tall] }), directory)).frame(1)
    expect(isRed(frame.pixel(160, 4))).toBe(true)
    expect(isRed(frame.pixel(160, screen.height - 4))).toBe(true)
    expect(isLightGrey(frame.pixel(60, 80))).toBe(true)
    expect(isLightGrey(frame.pixel(corner.x + 4, corner.y + 20))).toBe(true)
  })

  it('stands as its EXIF orientation says, and what is transparent is light', async () => {
    const wide = sharp(await makeStill('red', 400, 200))
      .withMetadata({ orientation: 6 })
      .jpeg()
    const clear = sharp({
      create: { width: 320, height: 180, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
    const plan = screenOf({
      screen: [
        buildItem('still', [0, 1000], await wide.toBuffer()),
        buildItem('still', [1000, 2000], await clear.webp().toBuffer()),
      ],
    })
    const watched = await watchFilm(plan, directory)
    const turned = await watched.frame(0.5)
    expect(isRed(turned.pixel(160, 4))).toBe(true)
    expect(isLightGrey(turned.pixel(60, 80))).toBe(true)
    expect(isLightGrey((await watched.frame(1.5)).pixel(100, 80))).toBe(true)
  })

  it('that is a drawing with references is not opened', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect fill="red"/></svg>')
    const watched = await watchFilm(screenOf({ screen: [buildItem('still', [0, 2000], svg)] }), directory)
    expect(watched.film.undecoded).toMatchObject([{ kind: 'still', atMs: 0 }])
  })
})

describe.skipIf(!ffmpeg)('a sound', () => {
  it.each(['webm', 'ogg', 'mp4', 'wav'])('is heard from %s', async (extension) => {
    const watched = await watchFilm(
      buildPlan({ sound: [buildSound(500, 1000, await makeTone(500, 1, extension))] }),
      directory,
    )
    expect((await watched.sound(0.55, 1.45)).rms).toBeGreaterThan(0.05)
    expect((await watched.sound(0, 0.45)).rms).toBeLessThan(0.002)
    expect((await watched.sound(1.55, 2)).rms).toBeLessThan(0.002)
  })

  it('longer than half a minute is heard to its stated end', async () => {
    const tone = await makeTone(500, 40, 'mp4')
    const watched = await watchFilm(
      buildPlan({ durationMs: 42_000, sound: [buildSound(-1500, 39_000, tone)] }),
      directory,
      { frame: { width: 64, height: 64, framesPerSecond: 1 } },
    )
    for (const from of [0.1, 20, 37]) expect((await watched.sound(from, from + 0.4)).rms).toBeGreaterThan(0.05)
    expect((await watched.sound(37.6, 41.9)).rms).toBeLessThan(0.002)
  })

  it('longer than half a minute that is spoiled in its middle is named, and heard before it', async () => {
    const tone = await makeTone(500, 40)
    const spoiled = Buffer.from(tone).fill(0, Math.round(tone.length * 0.5), Math.round(tone.length * 0.6))
    const watched = await watchFilm(
      buildPlan({ durationMs: 40_000, sound: [buildSound(0, 40_000, spoiled)] }),
      directory,
      { frame: { width: 64, height: 64, framesPerSecond: 1 } },
    )
    expect((await watched.sound(1, 18)).rms).toBeGreaterThan(0.05)
    expect((await watched.sound(21, 23)).rms).toBeLessThan(0.002)
    expect(watched.film.undecoded).toMatchObject([{ kind: 'sound', atMs: 0 }])
  })

  it('that goes on while the next begins ends there', async () => {
    const sound = [buildSound(0, 3000, await makeTone(500, 3)), buildSound(1000, 3000, await makeTone(2000, 3))]
    const watched = await watchFilm(buildPlan({ durationMs: 4000, sound }), directory)
    const near = async (from: number, to: number, hertz: number) =>
      expect(Math.abs((await watched.sound(from, to)).crossings - hertz)).toBeLessThan(hertz / 20)
    await near(0.1, 0.9, 500)
    await near(1.1, 3.9, 2000)
  })

  it('of a codec that is not listed is not decoded', async () => {
    const tone = await makeMedia('wav', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'adpcm_yamaha'])
    const watched = await watchFilm(buildPlan({ sound: [buildSound(0, 1000, tone)] }), directory)
    expect(watched.film.undecoded).toMatchObject([{ kind: 'sound', atMs: 0 }])
  })
})

describe.skipIf(!ffmpeg || process.platform === 'win32')('sixty sounds that say they are an hour long', () => {
  it('begin few decoders, each with a limit of time and memory', async () => {
    const counted = join(directory, 'counted-ffmpeg')
    const log = join(directory, 'limits.log')
    // Says what it may use before it becomes the program.
    await writeFile(counted, `#!/bin/sh\necho "$(ulimit -t) $(ulimit -v)" >> ${log}\nexec ${ffmpeg?.path} "$@"\n`)
    await chmod(counted, 0o755)
    const tone = await makeTone(500, 1)
    const sound = Array.from({ length: 60 }, (_, n) => buildSound(n * 30, 3_600_000, tone))
    await watchFilm(buildPlan({ durationMs: 3000, sound }), directory, {
      ffmpeg: { path: counted, version: 'counted' },
    })
    const [encoder, ...decoders] = (await readFile(log, 'utf8')).trim().split('\n').sort().reverse()
    expect(encoder).toBe('unlimited unlimited')
    expect(decoders.length).toBeLessThan(20)
    if (process.platform !== 'linux') return
    for (const limits of decoders) expect(limits).toMatch(/^\d+ 2097152$/)
  })
})
