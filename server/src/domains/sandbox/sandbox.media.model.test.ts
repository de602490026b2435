import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { checkMagic, checkPicture } from '../../platform/content/content-check.ts'
import { readClip } from './sandbox.clip.model.ts'
import { cameraPicture, screenPicture } from './sandbox.pictures.model.ts'
import { program, sceneAt } from './sandbox.scenes.model.ts'
import { sentences, speakerOf, spokenSeconds, turnsBetween } from './sandbox.script.model.ts'
import { speech } from './sandbox.sounds.model.ts'

const sentence = { text: 'How would you begin?', fromMs: 500, untilMs: 2500 }
const heard = { durationMs: 4000, voice: 'interviewer', seed: 1 } as const
const samplesOf = (bytes: Buffer) => Array.from(bytes.subarray(44), (sample) => sample - 128)
const loudest = (samples: readonly number[]) => Math.max(...samples.map(Math.abs))
/** How often it goes through zero: more often for a higher voice. */
const crossings = (samples: readonly number[]) =>
  samples.filter((one, n) => one > 0 && (samples[n - 1] ?? 0) <= 0).length

describe('simulated sound', () => {
  it('is a WAV of 8 kHz, mono, 8 bit, as long as asked for', () => {
    const bytes = speech([sentence], heard)
    checkMagic(bytes, 'audio/wav')
    expect(bytes.length).toBe(44 + 4000 * 8)
    const [format, channels] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
    expect({ format, channels, rate: bytes.readUInt32LE(24), bits: bytes.readUInt16LE(34) }).toEqual({
      format: 1,
      channels: 1,
      rate: 8000,
      bits: 8,
    })
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
  })

  it('speaks in the time of its sentence, is nearly silent around it, and is not clipped', () => {
    const samples = samplesOf(speech([sentence], heard))
    const [before, during, after] = [samples.slice(0, 3960), samples.slice(4000, 20_000), samples.slice(20_000)]
    expect(loudest(during)).toBeGreaterThan(50)
    expect(loudest(during)).toBeLessThan(127)
    expect(loudest(before)).toBeLessThanOrEqual(1)
    expect(loudest(after)).toBeLessThanOrEqual(1)
  })

  it('goes on in the next sound with the sentence that the one before cut off', () => {
    const options = { ...heard, durationMs: 1500 }
    const whole = samplesOf(speech([{ ...sentence, fromMs: 0, untilMs: 3000 }], { ...heard, durationMs: 3000 }))
    const second = samplesOf(speech([{ ...sentence, fromMs: -1500, untilMs: 1500 }], options))
    const apart = second.map((sample, n) => Math.abs(sample - (whole[12_000 + n] ?? 0)))
    expect(Math.max(...apart)).toBeLessThanOrEqual(2)
  })

  it('has two voices, of which the candidate has the higher one', () => {
    const low = crossings(samplesOf(speech([sentence], heard)).slice(4000, 20_000))
    const high = crossings(samplesOf(speech([sentence], { ...heard, voice: 'candidate' })).slice(4000, 20_000))
    expect(high).not.toBe(low)
    expect(speech([sentence], heard)).not.toEqual(speech([sentence], { ...heard, voice: 'candidate' }))
  })

  it('is the same for the same arguments, and another for each silence of a session', () => {
    expect(speech([sentence], heard)).toEqual(speech([sentence], heard))
    const silences = Array.from({ length: 30 }, (_, seed) =>
      speech([], { ...heard, durationMs: 100, seed }).toString('hex'),
    )
    expect(new Set(silences).size).toBe(30)
  })
})

describe('what is said', () => {
  it('takes turns without two at a time, and ends with a goodbye, however long the interview is', () => {
    for (const [from, to] of [
      [15, 195],
      [15, 255],
      [15, 555],
      [15, 1780],
    ] as const) {
      const turns = turnsBetween(from, to)
      expect(turns[0]?.from).toBe(from)
      expect(turns.at(-1)?.until).toBeLessThanOrEqual(to)
      expect(turns.at(-1)?.sentence).toBe(sentences.length - 1)
      for (const [n, turn] of turns.entries()) {
        expect(turn.until - turn.from).toBe(spokenSeconds(turn.sentence))
        expect(turn.from).toBeGreaterThanOrEqual(turns[n - 1]?.until ?? 0)
        expect(speakerOf(turn.sentence)).toBe(n % 2 === 0 ? 'interviewer' : 'candidate')
      }
    }
  })
})

describe('simulated pictures', () => {
  it('decode, and differ from one instant to the next', async () => {
    for (const picture of [screenPicture, cameraPicture]) {
      const [first, second] = [await picture('00:30', 30), await picture('01:00', 60)]
      await checkPicture(first, 'image/webp')
      expect(first.equals(second)).toBe(false)
      expect(first.length).toBeLessThan(40_000)
    }
  })

  it('show a program that grows, and now and then a page, from the beginning to the end of half an hour', () => {
    const scenes = Array.from({ length: 60 }, (_, n) => sceneAt(n * 30))
    const lines = scenes.flatMap((scene) => (scene.show === 'editor' ? [scene.lines] : []))
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
    expect(lines[0]).toBe(3)
    expect(lines.at(-1)).toBeGreaterThan(program.length - 3)
    const pages = scenes.filter(({ show }) => show === 'page').length
    expect(pages).toBeGreaterThan(5)
    expect(pages).toBeLessThan(lines.length)
  })

  it('show another screen in nearly every picture of the first ten minutes', async () => {
    const screens = await Promise.all(Array.from({ length: 20 }, (_, n) => screenPicture('00:00', (n + 1) * 30)))
    expect(new Set(screens.map((screen) => screen.toString('base64'))).size).toBeGreaterThan(12)
  })

  it('carry their label with the time, in a font that comes along', async () => {
    const barOf = async (clock: string, picture: typeof screenPicture) => {
      const { width, height } = await sharp(await picture(clock, 0)).metadata()
      const bar = { left: 0, top: Math.ceil(height * (11 / 12)) + 1, width, height: Math.floor(height / 12) - 2 }
      return sharp(await picture(clock, 0))
        .extract(bar)
        .greyscale()
        .raw()
        .toBuffer()
    }
    for (const picture of [screenPicture, cameraPicture]) {
      const [bar, other] = [await barOf('00:30', picture), await barOf('11:45', picture)]
      const ink = bar.filter((value) => value < 100).length / bar.length
      expect(ink).toBeGreaterThan(0.1)
      expect(ink).toBeLessThan(0.5)
      expect(other.equals(bar)).toBe(false)
    }
  })
})

describe('the simulated film', () => {
  it('is a small WebM', async () => {
    const bytes = await readClip()
    checkMagic(bytes, 'video/webm')
    expect(bytes.length).toBeLessThan(20_000)
  })
})
