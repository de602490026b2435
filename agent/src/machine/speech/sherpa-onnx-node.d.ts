/** The part of the package that is used here; it ships no types of its own. */
declare module 'sherpa-onnx-node' {
  export interface OnlineStream {
    acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void
    inputFinished(): void
  }
  export interface OnlineRecognizerResult {
    text: string
    tokens: string[]
    /** Seconds since the stream's segment began. */
    timestamps: number[]
    /** Logarithms of the tokens' probabilities; empty for some models. */
    ys_probs?: number[]
    start_time?: number
  }
  export class OnlineRecognizer {
    constructor(config: Readonly<Record<string, unknown>>)
    createStream(): OnlineStream
    isReady(stream: OnlineStream): boolean
    decode(stream: OnlineStream): void
    isEndpoint(stream: OnlineStream): boolean
    reset(stream: OnlineStream): void
    getResult(stream: OnlineStream): OnlineRecognizerResult
  }
}
