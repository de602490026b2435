import type { Energy } from '../../machine/page/messages.ts'
import { joinBytes } from './join-bytes.ts'
import type { Told } from './level-worklet.ts'
// The build makes it a file of its own, and this its address.
// oxlint-disable-next-line import/default
import workletUrl from './level-worklet.ts?worker&url'
import { pageNow } from './page-clock.ts'

/** Not in the library's types yet: sound that is measured and played nowhere (Web Audio API, 1.2), and what a track has delivered. */
type SilentOptions = AudioContextOptions & { sinkId?: { type: 'none' } }
type CountingTrack = MediaStreamTrack & { stats?: { deliveredFrames?: number } }

/** The rate at which sound is measured elsewhere in the agent too; the full one costs three times the work. */
const sampleRate = 16_000

const none = (): Energy & { tenths: number[] } => ({ squares: 0, peak: 0, samples: 0, tenths: [] })

let shared: Promise<AudioContext> | undefined

/** One context measures all tracks; each track is an input of its own and they never meet. */
const measuringContext = (): Promise<AudioContext> => {
  shared ??= (async () => {
    const options: SilentOptions = { sinkId: { type: 'none' }, sampleRate: sampleRate, latencyHint: 'playback' }
    const context = new AudioContext(options)
    await context.audioWorklet.addModule(workletUrl)
    return context
  })()
  return shared
}

/** Samples that follow each other, and the page time at which the last of them came: up to a tenth of a second after it was heard, and what the browser buffers. */
export interface Heard {
  bytes: Uint8Array<ArrayBuffer>
  endedAt: number
}

/** The energy of one track of sound, measured sample by sample, and the samples themselves while they are wanted. */
export class SoundMeter {
  readonly #track: CountingTrack
  readonly #source: MediaStreamAudioSourceNode
  readonly #node: AudioWorkletNode
  #energy = none()
  #delivered: number | undefined
  #wanted = false
  #samples: { bytes: Uint8Array; cameAt: number }[] = []
  /** What the browser had delivered when samples were last taken. */
  #deliveredSamples: number | undefined

  static async open(track: MediaStreamTrack): Promise<SoundMeter> {
    const context = await measuringContext()
    // Without a person's click a context may wait; a page that records is let go on.
    void context.resume()
    return new SoundMeter(context, track)
  }

  private constructor(context: AudioContext, track: MediaStreamTrack) {
    this.#track = track
    this.#source = context.createMediaStreamSource(new MediaStream([track]))
    this.#node = new AudioWorkletNode(context, 'level', { numberOfInputs: 1, numberOfOutputs: 1 })
    this.#node.port.addEventListener('message', ({ data: { energy, samples } }: MessageEvent<Told>) => {
      this.#energy.squares += energy.squares
      this.#energy.peak = Math.max(this.#energy.peak, energy.peak)
      this.#energy.samples += energy.samples
      this.#energy.tenths.push(...(energy.tenths ?? []))
      if (samples && this.#wanted) this.#samples.push({ bytes: new Uint8Array(samples.buffer), cameAt: pageNow() })
    })
    this.#node.port.start()
    this.#source.connect(this.#node).connect(context.destination)
  }

  /**
   * The energy since the last call. A source that delivers nothing sounds like silence here, so that nothing counts as
   * measured unless the browser counts what it delivered.
   */
  take(): Energy {
    const energy = this.#energy
    this.#energy = none()
    const delivered = this.#track.stats?.deliveredFrames
    const came = delivered === undefined || delivered !== this.#delivered
    this.#delivered = delivered
    // What is not measured keeps its place in time.
    return came ? energy : { ...none(), tenths: energy.tenths.map(() => 0) }
  }

  listen(wanted: boolean): void {
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    this.#samples = []
    this.#node.port.postMessage(wanted)
  }

  /** The samples that came until then (page time); none of a source that delivered nothing, which sounds like silence. */
  takeSamples(until: number): Heard | undefined {
    const count = this.#samples.findIndex(({ cameAt }) => cameAt > until)
    const taken = this.#samples.splice(0, count < 0 ? this.#samples.length : count)
    const last = taken.at(-1)
    if (!last) return undefined
    const delivered = this.#track.stats?.deliveredFrames
    const came = delivered === undefined || delivered !== this.#deliveredSamples
    this.#deliveredSamples = delivered
    return came ? { bytes: joinBytes(taken.map(({ bytes }) => bytes)), endedAt: last.cameAt } : undefined
  }

  close(): void {
    this.#source.disconnect()
    this.#node.disconnect()
    this.#node.port.close()
  }
}
