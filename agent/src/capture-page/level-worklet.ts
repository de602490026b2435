import type { Energy } from '../capture/web/messages.ts'

// The global scope of an audio worklet, which the library's types do not know (Web Audio API, 1.32).
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare const registerProcessor: (name: string, processor: typeof AudioWorkletProcessor) => void
declare const sampleRate: number

const TELLS_PER_SECOND = 10

/** Measures every sample, and tells the sum ten times a second. */
class LevelProcessor extends AudioWorkletProcessor {
  #energy: Energy = { squares: 0, peak: 0, samples: 0 }

  process(inputs: Float32Array[][]): boolean {
    const energy = this.#energy
    for (const channel of inputs[0] ?? []) {
      for (const sample of channel) {
        energy.squares += sample * sample
        energy.peak = Math.max(energy.peak, Math.abs(sample))
      }
      energy.samples += channel.length
    }
    if (energy.samples >= sampleRate / TELLS_PER_SECOND) {
      this.port.postMessage(energy)
      this.#energy = { squares: 0, peak: 0, samples: 0 }
    }
    return true
  }
}

registerProcessor('level', LevelProcessor)
