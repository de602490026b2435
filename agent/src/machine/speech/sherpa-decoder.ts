import { OnlineRecognizer, type OnlineRecognizerResult, type OnlineStream } from 'sherpa-onnx-node'
import { bytesPerMs, sampleRate } from '../../core/capture/pcm.ts'
import type { SherpaModel } from './sherpa-model.ts'
import type { SherpaLine } from './sherpa-wire.ts'

/** Sound that the model looks ahead; without it the last word stays unsaid. */
const tailMs = 800
/** How often words that are not firm yet, and progress, are told; in sound. */
const tellEveryMs = 500
const stepBytes = 200 * bytesPerMs
/** The engine tells when a token begins and not how long it lasts. */
const tokenMs = 250

const configOf = ({ kind, encoder, decoder, joiner, tokens }: SherpaModel) => ({
  featConfig: { sampleRate: sampleRate, featureDim: 80 },
  modelConfig: {
    ...(kind === 'transducer' ? { transducer: { encoder, decoder, joiner } } : { paraformer: { encoder, decoder } }),
    tokens,
    numThreads: 1,
    provider: 'cpu',
    debug: 0,
  },
  decodingMethod: 'greedy_search',
  enableEndpoint: 1,
  // Seconds: silence alone; silence after words; the longest utterance.
  rule1MinTrailingSilence: 2.4,
  rule2MinTrailingSilence: 0.8,
  rule3MinUtteranceLength: 20,
})

/** Samples between −1 and 1. */
const toSamples = (pcm: Buffer): Float32Array =>
  Float32Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(index * 2) / 32_768)

const confidenceOf = ({ ys_probs: logs = [] }: OnlineRecognizerResult): { confidence?: number } => {
  if (logs.length === 0) return {}
  const mean = logs.reduce((sum, log) => sum + Math.exp(log), 0) / logs.length
  return mean >= 0 && mean <= 1 ? { confidence: mean } : {}
}

/** Decodes sound (16 kHz mono, 16 bit) with a streaming model, and says what it makes out. Blocks while it does. */
export class SherpaDecoder {
  readonly #say: (line: SherpaLine) => void
  readonly #recognizer: OnlineRecognizer
  readonly #stream: OnlineStream
  #rest: Buffer = Buffer.alloc(0)
  #takenMs = 0
  #toldMs = 0
  #settledMs = 0
  #told = ''

  /** Throws when the model cannot be loaded; a damaged one may end the whole process. */
  constructor(model: SherpaModel, say: (line: SherpaLine) => void) {
    this.#say = say
    this.#recognizer = new OnlineRecognizer(configOf(model))
    this.#stream = this.#recognizer.createStream()
  }

  accept(bytes: Buffer): void {
    const all = Buffer.concat([this.#rest, bytes])
    const whole = all.length - (all.length % 2)
    this.#rest = all.subarray(whole)
    // In small steps, so that times are as exact when much comes at once.
    for (let from = 0; from < whole; from += stepBytes) {
      const step = all.subarray(from, Math.min(whole, from + stepBytes))
      this.#stream.acceptWaveform({ samples: toSamples(step), sampleRate: sampleRate })
      this.#takenMs += step.length / bytesPerMs
      this.#decode()
    }
  }

  finish(): void {
    this.#stream.acceptWaveform({ samples: new Float32Array((tailMs * sampleRate) / 1000), sampleRate: sampleRate })
    this.#stream.inputFinished()
    this.#decode()
    this.#tell(true)
  }

  #decode(): void {
    while (this.#recognizer.isReady(this.#stream)) {
      this.#recognizer.decode(this.#stream)
      if (!this.#recognizer.isEndpoint(this.#stream)) continue
      this.#tell(true)
      this.#recognizer.reset(this.#stream)
    }
    if (this.#takenMs - this.#toldMs >= tellEveryMs) this.#tell(false)
  }

  #tell(final: boolean): void {
    const result = this.#recognizer.getResult(this.#stream)
    const text = result.text.trim()
    const { takenMs } = this
    this.#toldMs = takenMs
    const at = (seconds = 0): number => Math.min(takenMs, Math.round(((result.start_time ?? 0) + seconds) * 1000))
    const startMs = at(result.timestamps[0])
    if (text !== this.#told || (final && text !== '')) {
      const endMs = Math.max(startMs, final ? Math.min(takenMs, at(result.timestamps.at(-1)) + tokenMs) : takenMs)
      this.#say({ type: 'words', startMs, endMs, text, final, ...(final ? confidenceOf(result) : {}) })
    }
    this.#told = final ? '' : text
    this.#settledMs = Math.max(this.#settledMs, final || text === '' ? takenMs : startMs)
    this.#say({ type: 'progress', takenMs, settledMs: this.#settledMs })
  }

  get takenMs(): number {
    return Math.floor(this.#takenMs)
  }
}
