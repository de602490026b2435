/*
 * Messages with bytes as one binary frame, for a WebSocket between agent and page: the length of the JSON (4 bytes,
 * big-endian), the JSON, the bytes. Runs in Node and in a browser.
 */

const lengthBytes = 4

/** The message's `bytes`, when it has any, go behind its JSON. */
export const encodeFrame = (message: Readonly<Record<string, unknown>>): Uint8Array => {
  const { bytes, ...rest } = message
  const tail = bytes instanceof Uint8Array ? bytes : undefined
  const json = new TextEncoder().encode(JSON.stringify(tail ? { ...rest, bytes: true } : rest))
  const frame = new Uint8Array(lengthBytes + json.length + (tail?.length ?? 0))
  new DataView(frame.buffer).setUint32(0, json.length)
  frame.set(json, lengthBytes)
  if (tail) frame.set(tail, lengthBytes + json.length)
  return frame
}

/** The message of a frame; undefined when it is none. */
export const decodeFrame = (frame: Uint8Array): Record<string, unknown> | undefined => {
  if (frame.length < lengthBytes) return undefined
  const length = new DataView(frame.buffer, frame.byteOffset, frame.length).getUint32(0)
  const end = lengthBytes + length
  if (end > frame.length) return undefined
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(frame.subarray(lengthBytes, end)))
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined
    const { bytes, ...rest } = message as Record<string, unknown>
    return bytes === true ? { ...rest, bytes: frame.slice(end) } : { ...rest }
  } catch {
    return undefined
  }
}
