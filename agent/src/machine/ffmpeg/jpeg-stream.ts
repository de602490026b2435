const startMarker = Buffer.from([0xff, 0xd8, 0xff])
const endMarker = Buffer.from([0xff, 0xd9])
/** A picture larger than this is not one of ours. */
const maxBytes = 16 * 1024 * 1024

/** Cuts ffmpeg's `image2pipe` stream of JPEG pictures (no thumbnails inside) into pictures. */
export class JpegSplitter {
  #rest: Buffer = Buffer.alloc(0)

  push(bytes: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    if (this.#rest.length > maxBytes) throw new Error('no end of picture in the camera stream')
    const done: Buffer[] = []
    for (;;) {
      const start = this.#rest.indexOf(startMarker)
      const end = start < 0 ? -1 : this.#rest.indexOf(endMarker, start + startMarker.length)
      if (end < 0) return done
      done.push(Buffer.from(this.#rest.subarray(start, end + endMarker.length)))
      this.#rest = this.#rest.subarray(end + endMarker.length)
    }
  }
}
