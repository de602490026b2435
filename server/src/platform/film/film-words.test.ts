import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
  watchFilm,
} from '../../../test/test-support/film-fixtures.ts'
import { layoutFilm } from './film-layout.ts'
import { boxesIn } from './mp4-boxes.ts'
import { chapterBox } from './mp4-chapters.ts'
import { subtitleSamples } from './mp4-subtitles.ts'
import type { Rectangle } from './pictures.ts'

const run = promisify(execFile)
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'film-words-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const frame = { width: 1280, height: 720, framesPerSecond: 10 }
const { insets, strip, divider } = layoutFilm(frame.width, frame.height)
const dark = ({ data, width }: Frame, at: Rectangle): number => {
  let count = 0
  for (let y = at.y; y < at.y + at.height; y++)
    for (let x = at.x; x < at.x + at.width; x++) if ((data[(y * width + x) * 3 + 1] ?? 255) < 110) count += 1
  return count
}
const caption: Rectangle = { x: divider + 8, y: strip.y + 4, width: 700, height: strip.height - 8 }
/** The same with nothing in the bytes between two shares of it. */
const spoil = (bytes: Buffer, from: number, to: number): Buffer =>
  Buffer.from(bytes).fill(0, Math.round(bytes.length * from), Math.round(bytes.length * to))
/** Where the name of a place stands. */
const nameAt = ({ x, y }: Rectangle): Rectangle => ({ x, y, width: 160, height: 16 })

describe.skipIf(!ffmpeg)('chapters and subtitles of a film', () => {
  it('are read by players, in their places, and leave picture and sound as they are', async () => {
    const plan = buildPlan({
      durationMs: 6000,
      screen: [buildItem('still', [0, 6000], await makeStill('teal'))],
      chapters: [
        { atMs: 0, title: 'Start' },
        { atMs: 2500, title: 'Ein Bildschirm – प्रदर्शन' },
      ],
      subtitles: [
        { fromMs: 1000, toMs: 2000, text: 'Interviewer: Guten Tag' },
        { fromMs: 1500, toMs: 3000, text: 'Candidate: नमस्ते' },
      ],
    })
    const film = await watchFilm(plan, directory)
    const probe = (ffmpeg?.path ?? 'ffmpeg').replace(/ffmpeg$/, 'ffprobe')
    const { stdout } = await run(probe, ['-v', 'error', '-show_chapters', '-show_streams', '-of', 'json', film.path])
    const { chapters, streams } = JSON.parse(stdout)
    expect(
      chapters.map((one: { start_time: string; tags: { title: string } }) => [Number(one.start_time), one.tags.title]),
    ).toEqual([
      [0, 'Start'],
      [2.5, 'Ein Bildschirm – प्रदर्शन'],
    ])
    expect(streams.map((one: { codec_name: string }) => one.codec_name)).toEqual(['h264', 'aac', 'mov_text'])
    expect(Number(streams[2].duration)).toBeCloseTo(6, 1)
    const words = await run(ffmpeg?.path ?? 'ffmpeg', [
      '-v',
      'error',
      '-i',
      film.path,
      '-map',
      '0:s:0',
      '-f',
      'srt',
      '-',
    ])
    expect(
      words.stdout
        .replaceAll('\r', '')
        // What this writer adds of how it would be drawn.
        .replaceAll(/<[^>]+>/g, '')
        .trim()
        .split('\n\n')
        .map((one) => one.split('\n').slice(1)),
    ).toEqual([
      ['00:00:01,000 --> 00:00:01,500', 'Interviewer: Guten Tag'],
      ['00:00:01,500 --> 00:00:02,000', 'Interviewer: Guten Tag', 'Candidate: नमस्ते'],
      ['00:00:02,000 --> 00:00:03,000', 'Candidate: नमस्ते'],
    ])
    expect(boxesIn(film.bytes).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
    expect((await film.frame(5)).pixel(100, 80)[1]).toBeGreaterThan(80)
  })
})

describe('what players count to', () => {
  it('bounds the list of chapters and their names, in whole characters', () => {
    const many = Array.from({ length: 300 }, (_, n) => ({ atMs: n, title: 'ü'.repeat(200) }))
    const box = boxesIn(boxesIn(chapterBox(many))[0]!.body)[0]!.body
    expect(box.readUInt8(8)).toBe(255)
    expect(box.readUInt8(17)).toBe(254)
    expect(chapterBox([])).toHaveLength(0)
  })

  it('bounds what is said at once, and leaves no hole between', () => {
    const samples = subtitleSamples([{ fromMs: 100, toMs: 200, text: 'ü'.repeat(100_000) }], 1000)
    expect(samples.map(({ durationMs }) => durationMs)).toEqual([100, 100, 800])
    for (const { bytes } of samples) expect(bytes.readUInt16BE(0)).toBe(bytes.length - 2)
    expect(subtitleSamples([], 1000)).toEqual([])
  })
})

describe.skipIf(!ffmpeg)('words in the picture', () => {
  it('name each place, and what is seen of another display', async () => {
    const teal = await makeStill('teal')
    const inset = (name: string) => ({ name, items: [], texts: [], emptyText: 'No picture yet' })
    const plan = buildPlan({
      durationMs: 2000,
      screen: [buildItem('still', [0, 1000], teal), buildItem('still', [1000, 2000], teal, { label: 'Display 2' })],
      insets: [inset('Webcam'), inset('Room camera'), inset('Phone, from the side')],
    })
    const film = await watchFilm(plan, directory, { frame })
    const [first, second] = [await film.frame(0.5), await film.frame(1.5)]
    for (const { place } of insets) expect(dark(first, nameAt(place))).toBeGreaterThan(30)
    const corner = { x: 0, y: 0, width: 6, height: 6 }
    expect(first.pixel(2, 2)).not.toEqual(second.pixel(2, 2))
    expect(dark(second, { ...corner, width: 100, height: 16 })).toBeGreaterThan(30)
    await expect(watchFilm({ ...plan, insets: [...plan.insets, inset('Fourth')] }, directory)).rejects.toThrow(
      'room for 3',
    )
  })

  it('say of a sound, and of a recording that another picture stands for, that it could not be decoded', async () => {
    const odd = await makeMedia('wav', ['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'adpcm_yamaha'])
    const broken = Buffer.from('\x1a\x45\xdf\xa3 not a recording', 'latin1')
    const plan = buildPlan({
      durationMs: 8000,
      screen: [buildItem('still', [0, 8000], await makeStill('teal')), buildItem('clip', [5000, 6000], broken)],
      sound: [buildSound(1000, 2000, odd)],
    })
    const film = await watchFilm(plan, directory, { frame })
    for (const second of [0.5, 3.5, 4.5, 6.5]) expect(dark(await film.frame(second), caption)).toBe(0)
    for (const second of [1.5, 2.5, 5.5]) expect(dark(await film.frame(second), caption)).toBeGreaterThan(100)
    expect((await film.frame(5.5)).pixel(100, 80)[1]).toBeGreaterThan(80)
    expect(film.film.undecoded.map(({ kind, atMs }) => [kind, atMs])).toEqual([
      ['sound', 1000],
      ['clip', 5000],
    ])
  })

  it('say of a sound that is spoiled in its middle where nothing of it is heard, and name no other', async () => {
    const sound = await Promise.all(
      ['webm', 'ogg', 'mp4'].map(async (extension, n) =>
        buildSound(n * 8000, 6000, spoil(await makeTone(440, 6, extension), 0.4, 0.6)),
      ),
    )
    const whole = [6000, 14_000, 22_000].map(async (at) => buildSound(at, 2000, await makeTone(440, 2)))
    const plan = buildPlan({ durationMs: 24_000, sound: [...sound, ...(await Promise.all(whole))] })
    const film = await watchFilm(plan, directory, { frame })
    expect(film.film.undecoded).toEqual(sound.map(({ id, atMs }) => ({ id, kind: 'sound', atMs })))
    for (const begin of [0, 8, 16]) {
      for (const at of [begin + 0.3, begin + 7]) {
        expect((await film.sound(at, at + 0.5)).rms, `${at}`).toBeGreaterThan(0.05)
        expect(dark(await film.frame(at + 0.2), caption), `${at}`).toBe(0)
      }
      expect((await film.sound(begin + 2.65, begin + 2.8)).rms, `${begin}`).toBeLessThan(0.002)
      expect(dark(await film.frame(begin + 2.7), caption), `${begin}`).toBeGreaterThan(100)
    }
  })
})
