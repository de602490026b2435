import type { Readable, Writable } from 'node:stream'
import type { FilmChild, FilmChildren } from './film-children.ts'
import { FilmError } from './film-error.ts'
import { pictureHead, soundHead, streamHead } from './matroska-stream.ts'
import { collectFragments, type EncodedFilm } from './mp4-fragments.ts'
import type { Picture } from './pictures.ts'
import type { SealedFile } from './sealed-file.ts'

export interface EncoderOptions {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly durationMs: number
  readonly children: FilmChildren
  /** Gets the media bytes, without the head that makes them a film. */
  readonly file: SealedFile
}

/** How many pictures the drawing may be ahead of the encoder: enough that neither waits for the other's slow moments. */
const slots = 6

interface Slot {
  readonly data: Buffer
  written: Promise<void>
}

/** Seconds between key frames at most: how exactly a player can seek. */
const keyFrameSeconds = 5

/**
 * Uncompressed pictures and sound on standard input become H.264 and AAC on standard output: constant frame rate, in
 * fragments, since standard output cannot be wound back to write an index.
 */
export const encoderArguments = (options: Pick<EncoderOptions, 'framesPerSecond' | 'durationMs'>): string[] => [
  ...['-f', 'matroska', '-i', 'pipe:0', '-map', '0:v:0', '-map', '0:a:0', '-map_metadata', '-1'],
  ...['-vf', `fps=${options.framesPerSecond}`, '-t', (options.durationMs / 1000).toFixed(3)],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'],
  ...['-g', String(options.framesPerSecond * keyFrameSeconds)],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
  // The fast coder takes a quarter of the time of the default one; at this rate speech has bits enough.
  ...['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '96k', '-fflags', '+bitexact'],
  ...['-movflags', '+frag_keyframe+delay_moov+default_base_moof+skip_trailer', '-f', 'mp4', 'pipe:1'],
]

/** The one ffmpeg that encodes the film. */
export class FilmEncoder {
  readonly #child: FilmChild
  readonly #input: Writable
  readonly #encoded: Promise<EncodedFilm>
  /** Pictures on their way into the pipe; while they are taken, the next is drawn. */
  readonly #slots: Slot[]
  #turn = 0

  constructor(options: EncoderOptions) {
    const { width, height, children, file } = options
    this.#child = children.start(encoderArguments(options))
    this.#input = this.#child.pipes[0] as Writable
    this.#encoded = collectFragments(this.#child.pipes[1] as Readable, (bytes) => file.append(bytes))
    // Asked for in `finish`; an encoder that dies before shows in what is written to it.
    this.#encoded.catch(() => this.#child.kill())
    const slot = () => ({ data: Buffer.allocUnsafe((width * height * 3) / 2), written: Promise.resolve() })
    this.#slots = Array.from({ length: slots }, slot)
    this.#send(streamHead(width, height)).catch(() => undefined)
  }

  /** From that moment on the film shows a picture, which may be changed as soon as this resolves. */
  async writePicture(picture: Picture, atMs: number): Promise<void> {
    const slot = this.#slots[this.#turn++ % this.#slots.length] as Slot
    await this.#orFailure(slot.written)
    picture.data.copy(slot.data)
    slot.written = this.#send(pictureHead(atMs, slot.data.length), slot.data)
    slot.written.catch(() => undefined)
  }

  /** s16le mono samples at 48 kHz; each piece begins where the former ended. */
  writeSound(samples: Buffer, atMs: number): Promise<void> {
    return this.#orFailure(this.#send(soundHead(atMs, samples.length), samples))
  }

  /** Ends the input and waits for the film. Throws FilmError: `encoder_failed`, `unexpected_output`. */
  async finish(): Promise<EncodedFilm> {
    await Promise.all(this.#slots.map((slot) => this.#orFailure(slot.written)))
    this.#input.end()
    const { code } = await this.#child.ended
    if (code !== 0) throw await this.#failure()
    return this.#encoded
  }

  #send(...pieces: Buffer[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#input.cork()
      for (const piece of pieces.slice(0, -1)) this.#input.write(piece)
      this.#input.write(pieces.at(-1), (error) => (error ? reject(error) : resolve()))
      this.#input.uncork()
    })
  }

  async #orFailure(written: Promise<void>): Promise<void> {
    try {
      await written
    } catch {
      throw await this.#failure()
    }
  }

  /** A pipe that broke says nothing; why the output could not be kept does, and what the encoder said before it ended. */
  async #failure(): Promise<unknown> {
    const { code, stderr } = await this.#child.ended
    const cause = await this.#encoded.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (cause !== undefined && !(cause instanceof FilmError)) return cause
    const words = stderr.trim() || 'it said nothing'
    return new FilmError('encoder_failed', `the encoder ended with ${code ?? 'a signal'}: ${words}`)
  }
}
