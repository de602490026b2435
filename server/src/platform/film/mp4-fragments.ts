import { FilmError } from './film-error.ts'
import { readMovieFragment, type SampleRun, type TrackSamples, tracksOf } from './mp4-samples.ts'

/** Nothing but media may be larger: a `moof` of a few seconds has a few kilobytes. */
const largestHeader = 16 * 1024 * 1024

/** What an encoder's fragmented MP4 said, without the media bytes themselves. */
export interface EncodedFilm {
  /** The body of the `moov` that came first. */
  readonly moov: Buffer
  readonly tracks: ReadonlyMap<number, TrackSamples>
}

interface OpenBox {
  readonly type: string
  readonly headerBytes: number
  left: number
  /** Body so far; undefined where it goes to the sink or nowhere. */
  readonly collected: Buffer[] | undefined
}

/** Takes a fragmented MP4 apart as it comes: media bytes go to the sink, everything else becomes sample tables. */
class FragmentCollector {
  readonly #sink: (bytes: Buffer) => Promise<void>
  #head = Buffer.alloc(0)
  #box: OpenBox | undefined
  #moov: Buffer | undefined
  #tracks = new Map<number, TrackSamples>()
  #runs: SampleRun[] = []
  #fragmentBytes = 0
  #mediaBytes = 0

  constructor(sink: (bytes: Buffer) => Promise<void>) {
    this.#sink = sink
  }

  async push(bytes: Buffer): Promise<void> {
    let rest = bytes
    while (rest.length > 0) {
      if (!this.#box) {
        rest = this.#readHeader(rest)
        if (!this.#box) return
      }
      const box: OpenBox = this.#box
      const piece = rest.subarray(0, box.left)
      rest = rest.subarray(piece.length)
      box.left -= piece.length
      if (box.type === 'mdat') {
        this.#mediaBytes += piece.length
        await this.#sink(piece)
      } else if (piece.length > 0) box.collected?.push(Buffer.from(piece))
      if (box.left === 0) this.#close(box)
    }
  }

  /** Opens the next box when its header is complete; returns what comes after the header. */
  #readHeader(bytes: Buffer): Buffer {
    const head = Buffer.concat([this.#head, bytes.subarray(0, 16 - this.#head.length)])
    const size = head.length < 8 ? undefined : head.readUInt32BE(0)
    const headerBytes = size === 1 ? 16 : 8
    if (size === undefined || head.length < headerBytes) {
      this.#head = head
      return Buffer.alloc(0)
    }
    const total = size === 1 ? Number(head.readBigUInt64BE(8)) : size
    this.#open(head.toString('latin1', 4, 8), headerBytes, total - headerBytes)
    const used = headerBytes - this.#head.length
    this.#head = Buffer.alloc(0)
    return bytes.subarray(used)
  }

  #open(type: string, headerBytes: number, left: number): void {
    const isKept = type === 'moov' || type === 'moof'
    if (left < 0 || (isKept && left > largestHeader)) {
      throw new FilmError('unexpected_output', `the encoder wrote a box ${type} of an impossible size`)
    }
    this.#box = { type, headerBytes, left, collected: isKept ? [] : undefined }
    if (type === 'mdat') this.#place(this.#fragmentBytes + headerBytes)
    if (left === 0) this.#close(this.#box)
  }

  /** The media bytes of the runs just described begin here, `from` bytes after their moof. */
  #place(from: number): void {
    for (const run of this.#runs) run.track.chunkOffsets.push(this.#mediaBytes + run.offset - from)
    this.#runs = []
  }

  #close(box: OpenBox): void {
    this.#box = undefined
    const body = Buffer.concat(box.collected ?? [])
    if (box.type === 'moov') {
      this.#moov = body
      this.#tracks = tracksOf(body)
    } else if (box.type === 'moof') {
      this.#runs = readMovieFragment(body, this.#tracks)
      this.#fragmentBytes = body.length + box.headerBytes
    }
  }

  finish(): EncodedFilm {
    if (!this.#moov || this.#box || this.#runs.length > 0 || this.#mediaBytes === 0) {
      throw new FilmError('unexpected_output', 'the encoder wrote no complete film')
    }
    return { moov: this.#moov, tracks: this.#tracks }
  }
}

/**
 * Reads a fragmented MP4 to its end, of which `sink` gets the media bytes (the bodies of its `mdat` boxes, joined).
 * Throws FilmError('unexpected_output') when it is none, or cut off.
 */
export const collectFragments = async (
  stream: AsyncIterable<Buffer>,
  sink: (bytes: Buffer) => Promise<void>,
): Promise<EncodedFilm> => {
  const collector = new FragmentCollector(sink)
  for await (const bytes of stream) await collector.push(bytes)
  return collector.finish()
}
