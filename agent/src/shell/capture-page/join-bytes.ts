export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((length, bytes) => length + bytes.length, 0))
  let at = 0
  for (const bytes of parts) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}
