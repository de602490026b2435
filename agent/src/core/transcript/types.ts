/**
 * Words an engine made out. Times are milliseconds of the sound given to the recogniser, from its first sample.
 * Until `final` the words from `startMs` on may still change; an empty final takes them back.
 */
export interface Recognised {
  readonly startMs: number
  readonly endMs: number
  readonly text: string
  readonly final: boolean
  /** 0 to 1, as the engine puts it; not comparable between engines. */
  readonly confidence?: number | undefined
}

export interface RecogniserListener {
  words(recognised: Recognised): void
  /** The engine takes sound again. */
  room(): void
}

/** One running recogniser: a process of its own, so that decoding neither delays nor crashes the agent. */
export interface Recogniser {
  /** Gives it sound (16 kHz mono, 16 bit). False when it wants no more until `room`; what it was given is kept. */
  accept(pcm: Buffer): boolean
  /** Milliseconds of sound that it has certainly read. */
  takenMs(): number
  /** Milliseconds of sound whose words are all out: if it died now, what came after would be lost. */
  settledMs(): number
  /** No more sound: asks for the last words. They are out when `ended` resolves. */
  finish(): void
  kill(): void
  /** Resolves when it is gone. */
  readonly ended: Promise<Ending>
}

export interface Ending {
  /** It read all it was given and said all its words. */
  readonly complete: boolean
  /** In words, for the log; never what was said. */
  readonly why: string
}

/** A speech-to-text program with the model it was found fit for. */
export interface SpeechEngine {
  readonly name: string
  /** BCP 47; undefined when the model does not say. */
  readonly language: string | undefined
  open(listener: RecogniserListener): Recogniser
}

export type EngineChoice = { readonly engine: SpeechEngine } | { readonly problem: string }
