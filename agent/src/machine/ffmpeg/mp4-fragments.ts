/** A whole clip: initialisation segment plus fragments, playable by itself and starting at time zero. */
export interface Mp4Clip {
  bytes: Buffer
  frames: number
}

interface Box {
  type: string
  start: number
  end: number
}

const boxes = function* (bytes: Buffer, from: number, to: number): Generator<Box> {
  let at = from
  while (at + 8 <= to) {
    const size = bytes.readUInt32BE(at)
    if (size < 8) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), start: at, end: at + size }
    at += size
  }
}

const find = (bytes: Buffer, from: number, to: number, type: string): Box | undefined => {
  for (const box of boxes(bytes, from, to)) if (box.type === type) return box
  return undefined
}

/** The `traf` of a fragment's `moof` (ISO/IEC 14496-12, 8.8.6). */
const trackFragment = (fragment: Buffer): Box | undefined => {
  const moof = find(fragment, 0, fragment.length, 'moof')
  return moof && find(fragment, moof.start + 8, moof.end, 'traf')
}

const frameCount = (fragment: Buffer): number => {
  const traf = trackFragment(fragment)
  const trun = traf && find(fragment, traf.start + 8, traf.end, 'trun')
  return trun ? fragment.readUInt32BE(trun.start + 12) : 0
}

/** Moves a fragment's `tfdt` (8.8.12) back by `offset` ticks, in place; gives the time it had. */
const shiftDecodeTime = (fragment: Buffer, offset: bigint): bigint => {
  const traf = trackFragment(fragment)
  const tfdt = traf && find(fragment, traf.start + 8, traf.end, 'tfdt')
  if (!tfdt) return 0n
  const wide = fragment.readUInt8(tfdt.start + 8) === 1
  const time = wide ? fragment.readBigUInt64BE(tfdt.start + 12) : BigInt(fragment.readUInt32BE(tfdt.start + 12))
  if (wide) fragment.writeBigUInt64BE(time - offset, tfdt.start + 12)
  else fragment.writeUInt32BE(Number(time - offset), tfdt.start + 12)
  return time
}

/**
 * Cuts a live fragmented MP4 (one video track, a fragment for each group of pictures) into clips of at least
 * `framesPerClip` frames, without a hole between them. An unfinished fragment at the end is left out.
 */
export class Mp4ClipSplitter {
  readonly #framesPerClip: number
  #rest: Buffer = Buffer.alloc(0)
  #init: Buffer[] = []
  #open: Buffer[] = []
  #fragments: Buffer[] = []
  #frames = 0

  constructor(framesPerClip: number) {
    this.#framesPerClip = framesPerClip
  }

  push(bytes: Buffer): Mp4Clip[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const done: Mp4Clip[] = []
    for (;;) {
      if (this.#rest.length < 8) return done
      const size = this.#rest.readUInt32BE(0)
      if (size < 8) throw new Error('not a fragmented MP4')
      if (this.#rest.length < size) return done
      const clip = this.#take(Buffer.from(this.#rest.subarray(0, size)))
      this.#rest = this.#rest.subarray(size)
      if (clip) done.push(clip)
    }
  }

  /** The clip that was being filled, or undefined when it holds no frame. */
  flush(): Mp4Clip | undefined {
    if (this.#fragments.length === 0) return undefined
    const first = shiftDecodeTime(this.#fragments[0]!, 0n)
    for (const fragment of this.#fragments) shiftDecodeTime(fragment, first)
    const clip = { bytes: Buffer.concat([...this.#init, ...this.#fragments]), frames: this.#frames }
    this.#fragments = []
    this.#frames = 0
    return clip
  }

  #take(box: Buffer): Mp4Clip | undefined {
    const type = box.toString('latin1', 4, 8)
    if (type === 'ftyp' || type === 'moov') this.#init.push(box)
    if (type === 'moof') this.#open = [box]
    if (type !== 'mdat' || this.#open.length === 0) return undefined
    const fragment = Buffer.concat([...this.#open, box])
    this.#open = []
    this.#fragments.push(fragment)
    this.#frames += frameCount(fragment)
    return this.#frames >= this.#framesPerClip ? this.flush() : undefined
  }
}
