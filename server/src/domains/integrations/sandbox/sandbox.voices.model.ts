import { readFile } from 'node:fs/promises'
import { packetsOf } from './sandbox.ogg.model.ts'
import { packetMs, webmOf } from './sandbox.webm.model.ts'

/** Packets of each part of the file, in its order; `scripts/make-voices.ts` writes it. */
export const voiceParts = { interviewer: 300, candidate: 300, hiss: 60 } as const
/** In the first ones of the hiss the voice before it fades. */
const fading = 10
export type Voice = Exclude<keyof typeof voiceParts, 'hiss'>

/** Two made-up voices and a faint hiss: Opus in Ogg, 13 s. */
export const voicesFile = new URL('./simulated-voices.ogg', import.meta.url)

type Packets = Readonly<Record<keyof typeof voiceParts, readonly Buffer[]>>

const readVoices = async (): Promise<Packets> => {
  // The headers of the stream first (RFC 7845, 3).
  const sound = packetsOf(await readFile(voicesFile)).slice(2)
  let from = 0
  const part = (name: keyof typeof voiceParts): Buffer[] => {
    from += voiceParts[name]
    return sound.slice(from - voiceParts[name], from)
  }
  return { interviewer: part('interviewer'), candidate: part('candidate'), hiss: part('hiss').slice(fading) }
}

export interface Spoken {
  /** Number in the script: each begins elsewhere in its voice. */
  readonly sentence: number
  /** Milliseconds from the beginning of the sound; less than 0 when it began before. */
  readonly fromMs: number
  readonly untilMs: number
}

/** The packet that is heard at an instant: of a voice while a sentence lasts, of the hiss between them. */
const packetAt = (voices: Packets, voice: Voice, spoken: readonly Spoken[], ms: number): Buffer => {
  const said = spoken.find(({ fromMs, untilMs }) => fromMs <= ms && ms < untilMs)
  const all = said ? voices[voice] : voices.hiss
  const n = said ? said.sentence * 37 + Math.floor((ms - said.fromMs) / packetMs) : Math.floor(ms / packetMs)
  const packet = all[n % all.length]
  if (!packet) throw new Error('the simulated voices are not whole')
  return packet
}

/** Opus in WebM, as agents send it, in which these are spoken. The same arguments give the same bytes; another name gives others. */
export const speech = async (
  spoken: readonly Spoken[],
  { durationMs, voice, name }: { readonly durationMs: number; readonly voice: Voice; readonly name: string },
): Promise<Buffer> => {
  const voices = await readVoices()
  const packets = Array.from({ length: Math.ceil(durationMs / packetMs) }, (_, n) =>
    packetAt(voices, voice, spoken, n * packetMs),
  )
  return webmOf(packets, { durationMs, name })
}
