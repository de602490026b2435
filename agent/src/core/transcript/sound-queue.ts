import { bytesPerMs } from '../capture/pcm.ts'

/** A piece of sound and the instant (epoch ms) at which it began. */
export interface SoundPiece {
  readonly pcm: Buffer
  readonly fromMs: number
}

export const lengthMs = ({ pcm }: SoundPiece): number => pcm.length / bytesPerMs
export const endMs = (piece: SoundPiece): number => piece.fromMs + lengthMs(piece)

/** Sound that waits for an engine, bounded in length: the oldest gives way. */
export class SoundQueue {
  readonly #longestMs: number
  readonly #onDropped: (piece: SoundPiece) => void
  #pieces: SoundPiece[] = []
  #waitingMs = 0

  constructor(longestMs: number, onDropped: (piece: SoundPiece) => void) {
    this.#longestMs = longestMs
    this.#onDropped = onDropped
  }

  get waitingMs(): number {
    return this.#waitingMs
  }

  put(piece: SoundPiece): void {
    this.#pieces.push(piece)
    this.#waitingMs += lengthMs(piece)
    while (this.#waitingMs > this.#longestMs && this.#pieces.length > 1) {
      const dropped = this.take()
      if (dropped) this.#onDropped(dropped)
    }
  }

  first(): SoundPiece | undefined {
    return this.#pieces[0]
  }

  take(): SoundPiece | undefined {
    const piece = this.#pieces.shift()
    if (piece) this.#waitingMs -= lengthMs(piece)
    return piece
  }
}
