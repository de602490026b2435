/** As many as a call may have arguments, in every engine. */
const atOnce = 8192

/** A browser has this itself; the library that phones need for it is 5 kB. */
export const encodeBase64 = (buffer: ArrayBuffer): string => {
  const bytes = new Uint8Array(buffer)
  let text = ''
  for (let at = 0; at < bytes.length; at += atOnce) text += String.fromCharCode(...bytes.subarray(at, at + atOnce))
  return btoa(text)
}
