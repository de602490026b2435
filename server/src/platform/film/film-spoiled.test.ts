import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
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
  watchFilm,
} from '../../../test/test-support/film-fixtures.ts'
import type { FilmSound } from './film.types.ts'
import { layoutFilm } from './film-layout.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'film-spoiled-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const tiny = { width: 64, height: 64, framesPerSecond: 1 }
const soundMs = 4000
const tone = (extension: string, codec: readonly string[]): Promise<Buffer> =>
  makeMedia(extension, ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4:sample_rate=48000', ...codec])
/** So that each differs: other bytes between two shares of them, none of them there, or nothing after the second. */
const over = (bytes: Buffer, value: number): Buffer =>
  Buffer.from(bytes).fill(value, Math.round(bytes.length * 0.4), Math.round(bytes.length * 0.6))
const without = (bytes: Buffer): Buffer => {
  const [from, to] = [0.4, 0.6].map((share) => Math.round((bytes.length * share) / 8) * 8)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
}
const cut = (bytes: Buffer): Buffer => bytes.subarray(0, Math.round(bytes.length * 0.6))
/** A few bytes in the middle of what a packet holds, so that no container notices. */
const scratched = (bytes: Buffer): Buffer => {
  const made = Buffer.from(bytes)
  for (let n = 0; n < 6; n++)
    made.fill(0x5a, Math.round(bytes.length * 0.35) + n * 997, Math.round(bytes.length * 0.35) + n * 997 + 4)
  return made
}
const told = (bytes: Buffer, size: number): Buffer => {
  const made = Buffer.from(bytes)
  made.writeUInt32LE(size, bytes.indexOf('data') + 4)
  return made
}

const kinds = {
  'FLAC in WAVE': ['wav', ['-c:a', 'flac'], 'audio/wav'],
  'FLAC in Ogg': ['ogg', ['-c:a', 'flac'], 'audio/ogg'],
  'FLAC in Matroska': ['mkv', ['-c:a', 'flac'], 'audio/webm'],
  'FLAC in MP4': ['mp4', ['-c:a', 'flac', '-strict', '-2'], 'audio/mp4'],
  'PCM in WAVE': ['wav', ['-c:a', 'pcm_s16le'], 'audio/wav'],
  'G.711 in WAVE': ['wav', ['-c:a', 'pcm_mulaw'], 'audio/wav'],
  'ADPCM in WAVE': ['wav', ['-c:a', 'adpcm_ima_wav'], 'audio/wav'],
  'MP3 in WAVE': ['wav', ['-c:a', 'libmp3lame'], 'audio/wav'],
  'MP3 in Matroska': ['mkv', ['-c:a', 'libmp3lame'], 'audio/webm'],
  'Opus in Ogg': ['ogg', ['-c:a', 'libopus'], 'audio/ogg'],
  'Opus in WebM': ['webm', ['-c:a', 'libopus'], 'audio/webm'],
  'Vorbis in WebM': ['webm', ['-c:a', 'libvorbis'], 'audio/webm'],
  'ALAC in MP4': ['mp4', ['-c:a', 'alac'], 'audio/mp4'],
} as const
type Kind = keyof typeof kinds
const ways = {
  zeros: (bytes: Buffer) => over(bytes, 0),
  noise: (bytes: Buffer) => over(bytes, 0xa7),
  without,
  cut,
  scratched,
} as const

const made = new Map<Kind, Promise<Buffer>>()
const whole = (kind: Kind): Promise<Buffer> => {
  const [extension, codec] = kinds[kind]
  const known = made.get(kind) ?? tone(extension, codec)
  made.set(kind, known)
  return known
}

/** Which of some sounds, heard one after the other, the film names as not decoded, or not to their end. */
const namedOf = async (sounds: readonly (readonly [name: string, bytes: Buffer, contentType: string])[]) => {
  const names = new Map<string, string>()
  const sound = sounds.map(([name, bytes, contentType], n): FilmSound => {
    const one = buildSound(n * (soundMs + 1000), soundMs, bytes, { contentType })
    names.set(one.id, name)
    return one
  })
  const plan = buildPlan({ durationMs: sounds.length * (soundMs + 1000), sound })
  const { film } = await watchFilm(plan, directory, { frame: tiny })
  return film.undecoded.map(({ id }) => names.get(id))
}

const spoiled: readonly (readonly [Kind, readonly (keyof typeof ways)[]])[] = [
  ['FLAC in WAVE', ['zeros', 'noise', 'without', 'cut', 'scratched']],
  ['FLAC in Ogg', ['zeros', 'noise', 'without', 'cut', 'scratched']],
  ['FLAC in Matroska', ['zeros', 'noise', 'without', 'cut', 'scratched']],
  ['FLAC in MP4', ['zeros', 'noise', 'without', 'cut', 'scratched']],
  // Of what carries no sums only the lengths can be known.
  ['PCM in WAVE', ['without', 'cut']],
  ['G.711 in WAVE', ['without', 'cut']],
  ['ADPCM in WAVE', ['without', 'cut']],
  ['MP3 in WAVE', ['zeros', 'noise', 'without', 'cut']],
  ['MP3 in Matroska', ['zeros', 'noise', 'without', 'cut']],
  ['Opus in Ogg', ['zeros', 'noise', 'without', 'cut', 'scratched']],
  ['Opus in WebM', ['zeros', 'noise', 'without', 'cut']],
  ['Vorbis in WebM', ['zeros', 'noise', 'without', 'cut']],
  ['ALAC in MP4', ['zeros', 'noise', 'without', 'cut']],
]

describe.skipIf(!ffmpeg)('a sound that lost something', () => {
  it.each(spoiled)('is named, however it lost it: %s', async (kind, how) => {
    const bytes = await whole(kind)
    const sounds = how.map((way) => [way, ways[way](bytes), kinds[kind][2]] as const)
    expect(await namedOf(sounds)).toEqual(how)
  })

  it('is named where its file tells of less than there is, and of more', async () => {
    const bytes = await whole('PCM in WAVE')
    const size = bytes.readUInt32LE(bytes.indexOf('data') + 4)
    const type = 'audio/wav'
    const sounds = [
      ['less', told(bytes, size / 2), type],
      ['more', told(bytes, size + 1000), type],
      ['half a sample', told(bytes.subarray(0, bytes.length - 1), size - 1), type],
      ['as it was recorded', told(bytes, 0xffffffff), type],
      ['never written', told(bytes, 0), type],
      ['a chunk behind it', Buffer.concat([bytes, Buffer.from('LIST\x04\0\0\0INFO', 'latin1')]), type],
    ] as const
    expect(await namedOf(sounds)).toEqual(['less', 'more', 'half a sample'])
  })

  it('is not named where it is whole, whatever it is', async () => {
    const all = (Object.keys(kinds) as Kind[]).map(async (kind) => [kind, await whole(kind), kinds[kind][2]] as const)
    expect(await namedOf(await Promise.all(all))).toEqual([])
  })

  it('and says that it is longer is named, with words for what is not in it', async () => {
    const frame = { width: 1280, height: 720, framesPerSecond: 2 }
    const { strip, divider } = layoutFilm(frame.width, frame.height)
    const dark = ({ data, width }: Frame): number => {
      let count = 0
      for (let y = strip.y + 4; y < strip.y + strip.height - 4; y++)
        for (let x = divider + 8; x < divider + 708; x++) if ((data[(y * width + x) * 3 + 1] ?? 255) < 110) count += 1
      return count
    }
    const cutShort = buildSound(0, 4000, cut(await whole('G.711 in WAVE')), { contentType: 'audio/wav' })
    const long = buildSound(6000, 8000, await whole('Opus in WebM'))
    const film = await watchFilm(buildPlan({ durationMs: 16_000, sound: [cutShort, long] }), directory, { frame })
    expect(film.film.undecoded.map(({ id }) => id)).toEqual([cutShort.id, long.id])
    for (const second of [3, 11, 13]) expect(dark(await film.frame(second)), `${second}`).toBeGreaterThan(100)
    for (const second of [1, 5, 7, 9, 15]) expect(dark(await film.frame(second)), `${second}`).toBe(0)
  })
})

describe.skipIf(!ffmpeg || process.platform === 'win32')('an item whose decoder was ended from outside', () => {
  /** An ffmpeg of which no decoder lives for long. */
  const killed = async () => {
    const path = join(directory, 'killed-ffmpeg')
    const script = `case "$*" in *libx264*) exec ${ffmpeg?.path} "$@" ;; *) kill -9 $$ ;; esac`
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o755)
    return { path, version: 'killed' }
  }

  it('is told from one that cannot be decoded', async () => {
    const bytes = await makeMedia('webm', ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=2', '-c:v', 'libvpx'])
    const clip = buildItem('clip', [0, 2000], bytes)
    const sounds = [
      buildSound(0, 2000, await whole('Opus in WebM')),
      buildSound(2000, 40_000, await whole('Opus in Ogg')),
    ]
    const none = buildItem('clip', [2000, 4000], Buffer.from('not a recording'))
    const plan = buildPlan({ durationMs: 42_000, screen: [clip, none], sound: sounds })
    const { film } = await watchFilm(plan, directory, { ffmpeg: await killed(), frame: tiny })
    expect(new Map(film.undecoded.map(({ id, wasKilled }) => [id, wasKilled]))).toEqual(
      new Map([[none.id, undefined], ...[clip, ...sounds].map(({ id }) => [id, true] as const)]),
    )
  })
})

describe.skipIf(!ffmpeg)('a recording that is spoiled in its middle', () => {
  const clip = (extension: string, codec: readonly string[]): Promise<Buffer> =>
    makeMedia(extension, ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=4', ...codec])

  it.each([
    ['VP8', 'webm', ['-c:v', 'libvpx', '-b:v', '400k', '-deadline', 'realtime']],
    ['H.264', 'mp4', ['-c:v', 'libx264', '-movflags', '+faststart']],
  ])('is named, and the film says so from there on: %s', async (_, extension, codec) => {
    const bytes = await clip(extension, codec)
    const bad = buildItem('clip', [0, 4000], over(bytes, 0xa7))
    const good = buildItem('clip', [4000, 8000], bytes)
    const beneath = buildItem('still', [0, 8000], await makeStill('teal'))
    const plan = buildPlan({ durationMs: 8000, screen: [beneath, bad, good] })
    const { film } = await watchFilm(plan, directory)
    expect(film.undecoded.map(({ id, kind }) => [id, kind])).toEqual([[bad.id, 'clip']])
  })
})
