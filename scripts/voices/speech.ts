const rate = 8000
const headerBytes = 44
/** Of an 8-bit sample that is silent. */
const middle = 128

/** A canonical WAV header: PCM, mono, 8 bit, 8 kHz (RIFF WAVE, format 1). */
const header = (dataBytes: number): Buffer => {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(dataBytes, 40)
  return bytes
}

/** Hertz: of the vocal cords, and how much shorter the mouth is than the one that the formants are of. */
const voices = {
  interviewer: { pitch: 112, mouth: 1 },
  candidate: { pitch: 196, mouth: 1.15 },
} as const
export type Voice = keyof typeof voices

/** The first two formants of vowels, in hertz (Peterson and Barney 1952, rounded). */
const formants: Readonly<Record<string, readonly [number, number]>> = {
  a: [730, 1090],
  e: [530, 1840],
  i: [270, 2290],
  o: [570, 840],
  u: [300, 870],
  y: [390, 1990],
}

interface Syllable {
  readonly vowel: readonly [number, number]
  /** Begins with a hiss, as s, f and t do. */
  readonly hiss: boolean
  /** The last of its word: a little longer, with a pause behind it. */
  readonly last: boolean
}

const syllablesOf = (text: string): Syllable[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => {
      const parts = word.match(/[^aeiouy]*[aeiouy]+/g) ?? [word]
      return parts.map((part, n) => ({
        vowel: formants[part.at(-1) ?? ''] ?? formants['e']!,
        hiss: /[sfztkcxh]/.test(part),
        last: n === parts.length - 1,
      }))
    })

/** Numbers from -1 to 1, the same for the same seed (a linear congruential generator, Numerical Recipes). */
const noiseOf = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

/** A resonator of the second order with its peak at a frequency (Klatt 1980); `width` in hertz. */
const resonator = (width: number) => {
  let [y1, y2, b, tuned] = [0, 0, 0, 0]
  const c = -Math.exp((-2 * Math.PI * width) / rate)
  const damping = 2 * Math.exp((-Math.PI * width) / rate)
  return (x: number, frequency: number): number => {
    // A frequency lasts as long as a syllable.
    if (frequency !== tuned) b = damping * Math.cos((2 * Math.PI * frequency) / rate)
    tuned = frequency
    const y = (1 - b - c) * x + b * y1 + c * y2
    y2 = y1
    y1 = y
    return y
  }
}

/** One sentence in samples from -1 to 1: pulses of the cords through two formants, and hisses between them. */
const sentence = (text: string, samples: number, voice: Voice): Float64Array => {
  const { pitch, mouth } = voices[voice]
  const all = syllablesOf(text)
  // Nobody speaks faster than ten syllables in a second: of a sentence without time only its beginning is heard.
  const said = all.slice(0, Math.max(1, Math.floor((samples * 10) / rate)))
  const length = samples / said.length
  const [first, second, noise] = [resonator(90), resonator(120), noiseOf(text.length)]
  const sound = new Float64Array(samples)
  const asks = text.endsWith('?')
  let phase = 0
  for (let i = 0; i < samples; i++) {
    const n = Math.min(said.length - 1, Math.floor(i / length))
    const { vowel, hiss, last } = said[n]!
    const within = i / length - n
    const opens = hiss ? 0.25 : 0.08
    const loud = within < opens ? within / opens : Math.max(0, 1 - ((within - opens) / (last ? 0.8 : 0.95)) ** 4)
    // The pitch sinks to the end, and rises there for a question.
    const melody = 1.1 - (0.25 * i) / samples + (asks && i > samples * 0.85 ? 0.3 : 0)
    phase += (pitch * melody) / rate
    const pulse = phase >= 1 ? 1 : 0
    phase %= 1
    const [f1, f2] = [vowel[0] * mouth, Math.min(3600, vowel[1] * mouth)]
    const voiced = first(pulse * 12, f1) + 0.6 * second(pulse * 12, f2)
    const hissing = hiss && within < 0.22 ? noise() * 0.14 : 0
    sound[i] = voiced * loud * 0.5 + hissing
  }
  // As loud as any other, and never clipped.
  const peak = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9)
  return sound.map((value) => value / peak)
}

export interface Spoken {
  readonly text: string
  /** Milliseconds from the beginning of the sound; less than 0 when it began before. */
  readonly fromMs: number
  readonly untilMs: number
}

/**
 * A WAV file in which these are spoken by a made-up voice, and a faint hiss is between them. The same arguments give the
 * same bytes; another seed is another hiss.
 */
export const speech = (
  spoken: readonly Spoken[],
  { durationMs, voice, seed }: { readonly durationMs: number; readonly voice: Voice; readonly seed: number },
): Buffer => {
  const at = (ms: number) => Math.round((ms * rate) / 1000)
  const total = Math.max(1, at(durationMs))
  const mixed = new Float64Array(total)
  for (const { text, fromMs, untilMs } of spoken) {
    const sound = sentence(text, Math.max(1, at(untilMs - fromMs)), voice)
    const start = at(fromMs)
    for (let i = Math.max(0, start); i < Math.min(total, start + sound.length); i++) mixed[i]! += sound[i - start] ?? 0
  }
  const hiss = noiseOf(seed + (voice === 'candidate' ? 0 : 7919))
  const data = Buffer.alloc(total)
  for (let i = 0; i < total; i++)
    data[i] = Math.max(0, Math.min(255, Math.round(middle + (mixed[i] ?? 0) * 90 + hiss() * 0.8)))
  return Buffer.concat([header(total), data])
}
