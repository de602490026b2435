import type { Energy } from '../../machine/page/messages.ts'

// The global scope of an audio worklet, which the library's types do not know (Web Audio API, 1.32).
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare const registerProcessor: (name: string, processor: typeof AudioWorkletProcessor) => void
declare const sampleRate: number

const tellsPerSecond = 10
/** The most frames that `process` is given at once (Web Audio API, 1.1: the render quantum). */
const quantum = 128

/** What is told: the energy, and the samples it was measured from while somebody listens. */
export interface Told {
  energy: Energy
  samples?: Int16Array<ArrayBuffer>
}

const nothing = (): Energy & { tenths: number[] } => ({ squares: 0, peak: 0, samples: 0, tenths: [] })

/** Measures every sample, and tells the sum ten times a second. Asked by `true`, it tells the samples too, as one channel. */
class LevelProcessor extends AudioWorkletProcessor {
  #energy = nothing()
  /** Of the tenth of a second that goes on. */
  #tenth = { squares: 0, samples: 0, frames: 0 }
  #samples: Int16Array | undefined
  #kept = 0

  constructor() {
    super()
    this.port.addEventListener('message', ({ data }: MessageEvent<boolean>) => {
      this.#kept = 0
      this.#samples = data ? new Int16Array(Math.ceil(sampleRate / tellsPerSecond) + quantum) : undefined
    })
    this.port.start()
  }

  process(inputs: Float32Array[][]): boolean {
    const channels = inputs[0] ?? []
    const energy = this.#energy
    for (const channel of channels) {
      for (const sample of channel) {
        energy.squares += sample * sample
        energy.peak = Math.max(energy.peak, Math.abs(sample))
      }
      energy.samples += channel.length
    }
    this.#measureTenth(channels)
    if (this.#samples) this.#keep(this.#samples, channels)
    if (energy.samples >= sampleRate / tellsPerSecond) this.#tell()
    return true
  }

  #measureTenth(channels: readonly Float32Array[]): void {
    const tenth = this.#tenth
    for (let i = 0; i < (channels[0]?.length ?? 0); i += 1) {
      for (const channel of channels) tenth.squares += (channel[i] ?? 0) ** 2
      tenth.samples += channels.length
      tenth.frames += 1
      if (tenth.frames < sampleRate / tellsPerSecond) continue
      this.#energy.tenths.push(tenth.squares / tenth.samples)
      Object.assign(tenth, { squares: 0, samples: 0, frames: 0 })
    }
  }

  #keep(samples: Int16Array, channels: readonly Float32Array[]): void {
    for (let i = 0; i < (channels[0]?.length ?? 0); i += 1) {
      const mean = channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length
      samples[this.#kept] = Math.round(Math.max(-1, Math.min(1, mean)) * 0x7f_ff)
      this.#kept += 1
    }
  }

  #tell(): void {
    const samples = this.#samples?.slice(0, this.#kept)
    const told: Told = { energy: this.#energy, ...(samples ? { samples } : {}) }
    this.port.postMessage(told, samples ? [samples.buffer] : [])
    this.#energy = nothing()
    this.#kept = 0
  }
}

registerProcessor('level', LevelProcessor)
