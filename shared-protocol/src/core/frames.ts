/** A head as it came, not parsed, and its bytes. Both are views of what was read. */
export interface Frame {
  readonly head: Uint8Array
  readonly body: Uint8Array
}

export interface FrameLimits {
  readonly frames: number
  /** Of one head. */
  readonly headBytes: number
}

/** What is wrong with the frames, in words. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

const lengthBytes = 4

/** The frames of a body, in their order. Throws `FrameError` where it is none to its last byte, or is beyond the limits. */
export const splitFrames = (bytes: Uint8Array, { frames: most, headBytes }: FrameLimits): Frame[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Frame[] = []
  let at = 0
  const take = (what: string, limit?: number): Uint8Array => {
    const name = `the ${what} of frame ${found.length}`
    if (at + lengthBytes > bytes.length) throw new FrameError(`${name} is cut off before its length`)
    const length = view.getUint32(at)
    const from = at + lengthBytes
    if (limit !== undefined && length > limit) throw new FrameError(`${name} is larger than ${limit} bytes`)
    if (from + length > bytes.length) throw new FrameError(`${name} is cut short`)
    at = from + length
    return bytes.subarray(from, at)
  }
  while (at < bytes.length) {
    if (found.length >= most) throw new FrameError(`there are more than ${most} frames`)
    const head = take('head', headBytes)
    found.push({ head, body: take('body') })
  }
  return found
}
