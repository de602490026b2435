import {
  type CommandInput,
  type CommandValue,
  type Energy,
  type Handover,
  lost,
  type StreamSource,
  type StreamState,
} from '../../machine/page/messages.ts'
import { FrameReader } from './frame-reader.ts'
import { watchIdentity } from './identity.ts'
import { joinBytes } from './join-bytes.ts'
import { openSource } from './open-source.ts'
import { pageNow } from './page-clock.ts'
import { Refusal } from './refusal.ts'
import type { Reply } from './reply.ts'
import { type RecordedPart, SegmentRecorder } from './segment-recorder.ts'
import { SoundMeter } from './sound-meter.ts'

const sum = (parts: readonly RecordedPart[]): Energy => {
  const total = { squares: 0, peak: 0, samples: 0 }
  for (const { part } of parts) {
    total.squares += part.energy.squares
    total.peak = Math.max(total.peak, part.energy.peak)
    total.samples += part.energy.samples
  }
  return total
}

/** One source that is open, and what can be asked of it. */
export class OpenStream {
  readonly description: CommandValue<'open'>
  readonly #media: MediaStream
  readonly #identity: () => Promise<StreamState>
  readonly #meter: SoundMeter | undefined
  readonly #recorder: SegmentRecorder
  readonly #track: MediaStreamTrack
  #frames: FrameReader | undefined
  #records = false

  constructor(
    media: MediaStream,
    track: MediaStreamTrack,
    identity: () => Promise<StreamState>,
    meter: SoundMeter | undefined,
  ) {
    const { width, height, sampleRate, deviceId = '' } = track.getSettings()
    this.#media = media
    this.#track = track
    this.#identity = identity
    this.#meter = meter
    this.#recorder = new SegmentRecorder(media, meter && (() => meter.take()))
    this.description = {
      label: track.label,
      deviceId,
      ...(width ? { width } : {}),
      ...(height ? { height } : {}),
      ...(sampleRate ? { sampleRate } : {}),
    }
  }

  async look(): Promise<Reply<'look'>> {
    this.#frames ??= new FrameReader(this.#track)
    try {
      return await this.#frames.look()
    } catch (error) {
      const state = await this.#identity()
      throw state === 'same' ? error : new Refusal(lost[state], 'the source was lost')
    }
  }

  async picture(wanted: Omit<CommandInput<'picture'>, 'stream'>): Promise<Reply<'picture'>> {
    this.#frames ??= new FrameReader(this.#track)
    return this.#frames.picture(wanted)
  }

  cut(contentType: string, bitsPerSecond: number): Promise<number> {
    this.#records = true
    return this.#recorder.cut(contentType, bitsPerSecond)
  }

  listen(wanted: boolean): void {
    this.#meter?.listen(wanted)
  }

  async confirm(): Promise<Reply<'confirm'>> {
    const at = pageNow()
    const state = await this.#identity()
    return this.#handOver(at, state)
  }

  async close(): Promise<Reply<'close'>> {
    await this.#recorder.stop()
    const at = pageNow()
    const state = await this.#identity()
    const reply = await this.#handOver(at, state)
    for (const track of this.#media.getTracks()) track.stop()
    this.#meter?.close()
    return reply
  }

  /** Nothing is handed over of a source that may not have been the right one since the last look. */
  async #handOver(at: number, state: StreamState): Promise<{ value: Handover; bytes: Uint8Array<ArrayBuffer> }> {
    const parts = await this.#recorder.take(at)
    const kept = state === 'same' ? parts : []
    // While something is recorded, each of its parts carries the energy of its own time.
    const energy = this.#records ? sum(kept) : (this.#meter?.take() ?? sum([]))
    const value: Handover = { state, at, parts: kept.map(({ part }) => part), energy }
    const heard = this.#meter?.takeSamples(at)
    const bytes = kept.map((part) => part.bytes)
    if (state !== 'same' || !heard) return { value, bytes: joinBytes(bytes) }
    value.pcm = { length: heard.bytes.length, endedAt: heard.endedAt }
    return { value, bytes: joinBytes([...bytes, heard.bytes]) }
  }
}

/** Opens a source. `onChange` is told when the browser ends it, mutes it, or gives it back. */
export const openStream = async (source: StreamSource, onChange: () => void): Promise<OpenStream> => {
  const media = await openSource(source)
  try {
    const [track] = media.getTracks()
    if (!track) throw new Refusal('NotFoundError', 'the browser gave no track')
    const identity = await watchIdentity(source, track)
    const meter = track.kind === 'audio' ? await SoundMeter.open(track) : undefined
    for (const change of ['ended', 'mute', 'unmute']) track.addEventListener(change, onChange)
    return new OpenStream(media, track, identity, meter)
  } catch (error) {
    for (const track of media.getTracks()) track.stop()
    throw error
  }
}
