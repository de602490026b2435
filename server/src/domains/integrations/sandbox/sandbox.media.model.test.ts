import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { checkMagic, checkPicture } from '../../../platform/content/content-check.ts'
import { readClip } from './sandbox.clip.model.ts'
import { cameraPicture, screenPicture } from './sandbox.pictures.model.ts'
import { program, sceneAt } from './sandbox.scenes.model.ts'
import { sentences, speakerOf, spokenSeconds, turnsBetween } from './sandbox.script.model.ts'
import { speech } from './sandbox.voices.model.ts'

const sentence = { sentence: 4, fromMs: 500, untilMs: 2500 }
const heard = { durationMs: 4010, voice: 'interviewer', name: 'one' } as const

describe('simulated sound', () => {
  it('is Opus in WebM, as agents send it, and small', async () => {
    const bytes = await speech([sentence], heard)
    checkMagic(bytes, 'audio/webm')
    expect(bytes.includes('A_OPUS')).toBe(true)
    expect(bytes.length).toBeLessThan(15_000)
  })

  it('goes on in the next sound with the sentence that the one before cut off', async () => {
    const packetsFrom = async (fromMs: number) =>
      speech([{ ...sentence, fromMs, untilMs: fromMs + 3000 }], { ...heard, durationMs: 1500 })
    const [first, second] = [await packetsFrom(0), await packetsFrom(-1500)]
    const whole = await speech([{ ...sentence, fromMs: 0, untilMs: 3000 }], { ...heard, durationMs: 3000 })
    // What the last packet of each ends with.
    for (const half of [first, second]) expect(whole.includes(half.subarray(half.length - 8))).toBe(true)
    expect(first.equals(second)).toBe(false)
  })

  it('has two voices, and a hiss where nobody speaks', async () => {
    const silence = await speech([], heard)
    const [low, high] = [await speech([sentence], heard), await speech([sentence], { ...heard, voice: 'candidate' })]
    expect(low.equals(high)).toBe(false)
    expect(low.equals(silence)).toBe(false)
    expect(await speech([], { ...heard, voice: 'candidate' })).toEqual(silence)
  })

  it('is the same for the same arguments, and another for each silence of a session', async () => {
    expect(await speech([sentence], heard)).toEqual(await speech([sentence], heard))
    const silences = new Set<string>()
    for (let n = 0; n < 30; n++) silences.add((await speech([], { ...heard, name: `${n}` })).toString('hex'))
    expect(silences.size).toBe(30)
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
