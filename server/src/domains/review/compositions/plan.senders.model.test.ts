import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, makeMedia } from '../../../../test/test-support/film-fixtures.ts'
import { lookAt } from '../../../../test/test-support/media-inputs.ts'
import { checkPicture } from '../../../platform/content/content-check.ts'
import { checkMedia, wholeRecording } from '../../../platform/media/media-check.ts'
import { buildInput, observed, planOf } from './plan.test-support.ts'
import type { PlanInput } from './plan.tracks.model.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'film-senders-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

type Placed = readonly [input: PlanInput, bytes: Buffer]

const filmOf = async (seconds: number, placed: readonly Placed[]) => {
  const bytes = new Map(placed.map(([{ id }, content]) => [id, content]))
  const inputs = placed.map(([input, { length }]) => ({ ...input, sizeBytes: length }))
  const plan = planOf({
    seconds,
    inputs,
    config: { camera: { enabled: false } },
    windows: [observed('screen', seconds), observed('microphone', seconds)],
    open: async function* ({ id }, range) {
      yield bytes.get(id)!.subarray(range?.start ?? 0, range?.end)
    },
  })
  const look = await lookAt(plan, directory, { width: 320, height: 180, framesPerSecond: 10 })
  const undecoded = look.film.film.undecoded.map(({ id }) => placed.findIndex(([input]) => input.id === id))
  return { sound: (from: number, to: number) => look.film.sound(from, to), colours: look.at(60, 40), undecoded }
}

/** Red for one second, then blue for two. */
const picture = (size = '160x90') => {
  const of = (colour: string, name: string, seconds: number) => `color=${colour}:s=${size}:r=10:d=${seconds}[${name}]`
  return ['-f', 'lavfi', '-i', `${of('red', 'a', 1)};${of('blue', 'b', 2)};[a][b]concat`]
}
const tone = (rate: number) => ['-f', 'lavfi', '-i', `aevalsrc='0.5*sin(2*PI*440*t)*between(t,1,2)':s=${rate}:d=2.5`]
const vp8 = ['-c:v', 'libvpx']
const h264 = ['-pix_fmt', 'yuv420p', '-bf', '2']
const fragments = ['-movflags', 'frag_keyframe+delay_moov']

/** Name, container, how it is made, what is told of its length. */
const clips: readonly (readonly [name: string, extension: string, args: readonly string[], told: number | null])[] = [
  ['VP9 of odd sides', 'webm', [...picture('161x91'), '-c:v', 'libvpx-vp9'], null],
  ['VP9 of ten bits', 'webm', [...picture(), '-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p10le'], 3000],
  ['WebM of unknown length', 'webm', [...picture(), ...vp8, '-live', '1'], null],
  ['a piece of a longer WebM', 'webm', [...picture(), ...vp8, '-output_ts_offset', '3600'], null],
  ['a piece of a longer MP4', 'mp4', [...picture(), ...h264, '-output_ts_offset', '20'], 3000],
  ['MP4 in fragments with an edit list', 'mp4', [...picture(), ...h264, ...fragments], null],
  ['MP4 without an edit list', 'mp4', [...picture(), ...h264, '-use_editlist', '0'], 3000],
  ['pictures only where something changes', 'webm', [...picture(), ...vp8, '-vf', 'mpdecimate'], 3000],
  ['with sound that begins later', 'webm', [...picture(), '-itsoffset', '1.5', ...tone(48_000), ...vp8], null],
]

const sounds: readonly (readonly [name: string, extension: string, args: readonly string[]])[] = [
  ['Opus in Ogg with samples before its beginning', 'ogg', [...tone(48_000), '-c:a', 'libopus']],
  ['a piece of a longer Ogg', 'ogg', [...tone(48_000), '-c:a', 'libopus', '-output_ts_offset', '3600']],
  ['a piece of a longer WebM', 'webm', [...tone(48_000), '-c:a', 'libopus', '-output_ts_offset', '5']],
  ['AAC in fragments', 'mp4', [...tone(44_100), '-c:a', 'aac', ...fragments]],
  ['MP3 in MP4', 'mp4', [...tone(44_100), '-c:a', 'libmp3lame']],
  ['six channels of which one speaks', 'ogg', [...tone(48_000), '-af', 'pan=5.1|FC=c0', '-c:a', 'libopus']],
  ['a studio’s rate', 'wav', [...tone(96_000), '-c:a', 'pcm_s24le']],
]

const red = (width = 161, height = 91) =>
  sharp({ create: { width, height, channels: 3, background: 'rgb(220,30,30)' } })
const stills: readonly (readonly [name: string, type: 'jpeg' | 'png' | 'webp', make: () => Sharp])[] = [
  ['of a printer', 'jpeg', () => red().toColourspace('cmyk').jpeg()],
  ['of sixteen bits, interlaced', 'png', () => red().toColourspace('rgb16').png({ progressive: true })],
  ['of a wide gamut', 'jpeg', () => red().withIccProfile('p3').jpeg()],
  ['mirrored and turned', 'jpeg', () => red(91, 161).withMetadata({ orientation: 5 }).jpeg()],
  ['of a palette', 'png', () => red().png({ palette: true })],
  ['turned in WebP', 'webp', () => red(91, 161).withMetadata({ orientation: 6 }).webp()],
]

const runsOf = (colours: readonly string[]): string[] =>
  colours.flatMap((colour, n) => (n > 0 && colour === colours[n - 1] ? [] : [`${n / 10} ${colour}`]))

describe.skipIf(!ffmpeg)('what other senders make', () => {
  it('is a recording whose every picture is seen in its time, of a length that is its own', async () => {
    const made = await Promise.all(clips.map(([, extension, args]) => makeMedia(extension, args)))
    const film = await filmOf(
      clips.length * 5,
      clips.map(([, , , durationMs], n) => [buildInput('screen_clip', n * 5 + 0.5, { durationMs }), made[n]!]),
    )
    for (const [n, [name, extension]] of clips.entries()) {
      const seen = runsOf(film.colours.slice(n * 50, n * 50 + 50))
      // What shows nothing new for longer ends with what was told of it, and the next begins soon.
      expect(seen.slice(1, 3), name).toEqual(['0.5 red', '1.5 blue'])
      if (!name.startsWith('pictures only')) expect(seen[3], name).toBe('4.5 card')
      const { durationMs } = await checkMedia(wholeRecording(made[n]!), `video/${extension}`)
      if (durationMs !== null) expect(durationMs, name).toBeLessThan(4100)
    }
    expect(film.undecoded).toEqual([])
  }, 120_000)

  it('is a sound that is heard in its time, and a still in its colours', async () => {
    const heard = await Promise.all(sounds.map(([, extension, args]) => makeMedia(extension, args)))
    const shown = await Promise.all(stills.map(([, , make]) => make().toBuffer()))
    const film = await filmOf(sounds.length * 4, [
      ...sounds.map((_, n): Placed => [buildInput('audio_chunk', n * 4, { durationMs: null }), heard[n]!]),
      ...stills.map(([, type], n): Placed => {
        const contentType = `image/${type}` as const
        return [buildInput('screenshot', n * 4 + 1, { contentType }), shown[n]!]
      }),
    ])
    expect(film.undecoded).toEqual([])
    for (const [n, [name, extension]] of sounds.entries()) {
      const rms = async (from: number, to: number) => (await film.sound(n * 4 + from, n * 4 + to)).rms
      expect(await rms(0.1, 0.98), `${name} before its tone`).toBeLessThan(0.01)
      expect(await rms(1.03, 1.97), name).toBeGreaterThan(0.05)
      expect(await rms(2.03, 3.9), `${name} behind its tone`).toBeLessThan(0.01)
      const { durationMs } = await checkMedia(wholeRecording(heard[n]!), `audio/${extension}`)
      if (durationMs !== null) expect(durationMs, name).toBeLessThan(2600)
    }
    for (const [n, [name, type]] of stills.entries()) {
      await expect(checkPicture(shown[n]!, `image/${type}`), name).resolves.toBeDefined()
      expect(film.colours[n * 40 + 20], name).toBe('red')
    }
  }, 120_000)

  it('in a format that no type of ours has is refused for what it is sent as', async () => {
    for (const [bytes, type] of [
      [await red().avif().toBuffer(), 'image/webp'],
      [await red().avif().toBuffer(), 'image/jpeg'],
      [await red().gif().toBuffer(), 'image/png'],
    ] as const)
      await expect(checkPicture(bytes, type)).rejects.toMatchObject({
        details: [{ message: `the bytes are not ${type}` }],
      })
  })
})
