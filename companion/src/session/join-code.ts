/**
 * The code in what was typed, scanned or opened: a bare code, or a link whose fragment holds one. `undefined` when it
 * cannot be one. Look-alikes and case are forgiven by the service.
 */
export const findCode = (text: string): string | undefined => {
  const end = text.includes('#') ? text.slice(text.lastIndexOf('#') + 1) : text
  const plain = end.replace(/[\s\-–—_.]/g, '').toUpperCase()
  return /^[0-9A-Z]{8}$/.test(plain) ? plain : undefined
}

/** The service that a scanned link belongs to; `undefined` for a bare code. */
export const serviceOf = (text: string): string | undefined => {
  const match = /^(https?:\/\/[^\s#]+?)\/companion\/?#/.exec(text.trim())
  return match?.[1]
}
