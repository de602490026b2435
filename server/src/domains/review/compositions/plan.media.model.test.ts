import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, makeMedia, makeTone } from '../../../../test/test-support/film-fixtures.ts'
import { type Colour, lookAt, mediaInput } from '../../../../test/test-support/media-inputs.ts'
import { buildInput, observed, on, planOf } from './plan.test-support.ts'
import type { PlanInput } from './plan.tracks.model.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'film-media-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const frame = { width: 320, height: 180, framesPerSecond: 10 }
type Placed = readonly [input: PlanInput, bytes: Buffer]

/** The film of some inputs, through the account and the plan, looked at in the middle of the screen, away from the insets. */
const filmOf = async (seconds: number, placed: readonly Placed[], displays: readonly string[] = ['']) => {
  const bytes = new Map(placed.map(([{ id }, content]) => [id, content]))
  const inputs = placed.map(([input]) => ({ ...input, sizeBytes: bytes.get(input.id)!.length }))
  const plan = planOf({
    seconds,
    inputs,
    config: { camera: { enabled: false } },
    windows: [...displays.map((id) => observed('screen', seconds, 0, id)), observed('microphone', seconds)],
    open: async function* ({ id }, range) {
      yield bytes.get(id)!.subarray(range?.start ?? 0, range?.end)
    },
  })
  const { film, at } = await lookAt(plan, directory, frame)
  const colours = at(60, 40)
  const undecoded = film.film.undecoded.map(({ id }) => placed.findIndex(([input]) => input.id === id))
  return {
    ...film,
    undecoded,
    colours,
    seen: (...moments: number[]) => moments.map((s) => colours[Math.round(s * 10)]),
  }
}

const clip = (at: number, durationMs: number | null, bytes: Buffer, display = ''): Placed => [
  buildInput('screen_clip', at, { durationMs, ...(display !== '' && on(display)) }),
  bytes,
]
const sound = (at: number, durationMs: number | null, bytes: Buffer): Placed => [
  buildInput('audio_chunk', at, { durationMs }),
  bytes,
]
const greens = async (seconds: number): Promise<Placed[]> => {
  const green = await mediaInput('green.png')
  return Array.from({ length: seconds / 2 }, (_, n) => [buildInput('screenshot', n * 2 + 0.5), green])
}
const times = (n: number, colour: Colour) => Array.from({ length: n }, () => colour)

describe.skipIf(!ffmpeg)('recordings in the film', () => {
  it('of the second display are seen when that of the first is over, from where they are by then', async () => {
    const placed = [
      clip(1, 3000, await mediaInput('red3.webm'), '1'),
      clip(1, 10_000, await mediaInput('blue10.webm'), '2'),
    ]
    const film = await filmOf(12, placed, ['1', '2'])
    expect(film.seen(1.5, 2, 3.8)).toEqual(times(3, 'red'))
    expect(film.seen(4.2, 7, 10.8)).toEqual(times(3, 'blue'))
    expect((await filmOf(12, placed.toReversed(), ['2', '1'])).colours).toEqual(film.colours)
  })

  it('that covered another for a while give way to it again; lengths that were not told are measured', async () => {
    const blue = await mediaInput('blue10.webm')
    const told = await filmOf(34, [clip(1, 30_000, await mediaInput('red60.webm')), clip(6, 4000, blue)])
    expect(told.seen(2, 5.8)).toEqual(times(2, 'red'))
    expect(told.seen(6.2, 9.8)).toEqual(times(2, 'blue'))
    expect(told.seen(10.2, 20, 30.8)).toEqual(times(3, 'red'))
    const untold = await filmOf(64, [clip(1, null, await mediaInput('red60.webm'))])
    expect(untold.seen(1.2, 30, 31.5, 45, 60.8)).toEqual(times(5, 'red'))
    expect(untold.seen(63)).toEqual(['card'])
  })

  it('that told too little are shown as long as they last, in another container too', async () => {
    const red = await makeMedia('mp4', ['-f', 'lavfi', '-i', 'color=red:s=160x90:r=10:d=8', '-pix_fmt', 'yuv420p'])
    const film = await filmOf(12, [clip(1, 2000, red)])
    expect(film.seen(2, 5, 8.8)).toEqual(times(3, 'red'))
    expect(film.seen(11)).toEqual(['card'])
  })

  it('that are broken or short hide no still, and are named', async () => {
    const single = await makeMedia('webm', ['-f', 'lavfi', '-i', 'color=red:s=160x90:r=10:d=0.1', '-c:v', 'libvpx'])
    const placed = [
      clip(4, 4000, await mediaInput('q-cut.webm')),
      clip(10, 4000, await mediaInput('q-nomoov.mp4')),
      clip(16, 4000, single),
    ]
    const film = await filmOf(22, [...placed, ...(await greens(22))])
    expect(film.seen(3, 6.8, 7.5, 10.2, 12, 13.9, 16.8, 19, 21)).toEqual(times(9, 'green'))
    expect(film.seen(4.4)).not.toEqual(['green'])
    expect(film.seen(16.2)).toEqual(['red'])
    expect(film.undecoded).toEqual([0, 1])
  })

  it('of one picture are held for as long as they told, where nothing newer is known', async () => {
    const single = await makeMedia('webm', ['-f', 'lavfi', '-i', 'color=red:s=160x90:r=10:d=0.1', '-c:v', 'libvpx'])
    const film = await filmOf(10, [clip(2, 4000, single)])
    expect(film.seen(2.2, 4, 5.8)).toEqual(times(3, 'red'))
    expect(film.seen(1, 6.2, 9)).toEqual(times(3, 'card'))
    expect(film.undecoded).toEqual([])
  })

  it('of before the start are shown from where they were by then', async () => {
    const film = await filmOf(4, [
      clip(-2, 4000, await mediaInput('q.mp4')),
      sound(-2, 3000, await mediaInput('s.webm')),
    ])
    const later = await filmOf(6, [clip(0, 4000, await mediaInput('q.mp4'))])
    expect(await film.frame(0.5)).not.toEqual(await later.frame(0.5))
    const middle = async (watched: typeof film, at: number) => (await watched.frame(at)).pixel(160, 80)
    expect(Math.min(...(await middle(film, 0.1)))).toBeGreaterThan(200)
    expect(Math.max(...(await middle(later, 1.5)))).toBeLessThan(200)
    // Behind the few milliseconds that an encoder runs up.
    expect((await film.sound(0.1, 4)).rms).toBeLessThan(0.002)
  })
})

const tone = ['-f', 'lavfi', '-i', "aevalsrc='0.5*sin(2*PI*440*t)*between(t,1,2)':s=8000:d=2.5"]
const opposite = 'pan=stereo|c0=c0|c1=-1*c0'

describe.skipIf(!ffmpeg)('sounds in the film', () => {
  it('are heard in the codecs of phones, telephones and browsers, and where two channels cancel each other', async () => {
    const waves = ['s-mulaw.wav', 's-alaw.wav', 's-adpcm.wav', 's-f64.wav', 's-antiphase.wav']
    const sent = ['s.webm', 's-alac.mp4', 's-pcm_s16be.mov.mp4', ...waves]
    const made = [
      ['wav', '-c:a', 'adpcm_ima_wav'],
      ['wav', '-ar', '48000', '-c:a', 'adpcm_ima_wav'],
      ['wav', '-c:a', 'adpcm_ms'],
      ['wav', '-c:a', 'pcm_f64le'],
      ['wav', '-c:a', 'pcm_s24le'],
      ['mov', '-c:a', 'pcm_s24be'],
      ['mov', '-c:a', 'pcm_f32be'],
      ['mkv', '-c:a', 'alac'],
      ['wav', '-af', opposite],
      ['webm', '-af', opposite],
    ] as const
    const tones = [
      ...(await Promise.all(sent.map(mediaInput))),
      ...(await Promise.all(made.map(([extension, ...args]) => makeMedia(extension, [...tone, ...args])))),
    ]
    const film = await filmOf(
      tones.length * 3,
      tones.map((bytes, n) => sound(n * 3, 2500, bytes)),
    )
    expect(film.undecoded).toEqual([])
    for (const [n, name] of [...sent, ...made].entries()) {
      const at = (from: number, to: number) => film.sound(n * 3 + from, n * 3 + to)
      expect((await at(0.1, 0.9)).rms, `${String(name)} before its tone`).toBeLessThan(0.01)
      expect((await at(1.1, 1.9)).rms, String(name)).toBeGreaterThan(0.05)
      expect((await at(2.2, 2.9)).rms, `${String(name)} behind its tone`).toBeLessThan(0.02)
    }
  })

  // One that does not say for how long it goes on ends where the next begins.
  it.each([
    [30_000, 0.05, 1],
    [null, 0, 0.002],
  ] as const)(
    'are covered by newer ones, and heard again behind them where they told a length: %s',
    async (told, least, most) => {
      const silence = await makeMedia('wav', ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '3'])
      const film = await filmOf(34, [sound(1, told, await makeTone(440, 30)), sound(6, 3000, silence)])
      expect((await film.sound(2, 3)).rms).toBeGreaterThan(0.05)
      expect((await film.sound(6.1, 8.9)).rms).toBeLessThan(0.002)
      const { rms } = await film.sound(9.2, 30.8)
      expect(rms).toBeGreaterThanOrEqual(least)
      expect(rms).toBeLessThan(most)
      expect((await film.sound(31.5, 34)).rms).toBeLessThan(0.002)
    },
  )

  it('that cannot be decoded are named, and hide no other', async () => {
    const odd = await makeMedia('wav', [...tone, '-c:a', 'adpcm_yamaha'])
    const film = await filmOf(10, [sound(1, 2000, odd), sound(5, 2000, odd), sound(4, 5000, await makeTone(440, 5))])
    expect(film.undecoded).toEqual([0, 1])
    expect((await film.sound(5.2, 6.8)).rms).toBeGreaterThan(0.05)
    expect((await film.sound(1.2, 2.8)).rms).toBeLessThan(0.002)
  })
})
