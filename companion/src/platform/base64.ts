import { base64 } from '@scure/base'

export const encodeBase64 = (buffer: ArrayBuffer): string => base64.encode(new Uint8Array(buffer))

/** The bytes of base64 text. @throws where it is none */
export const decodeBase64 = (text: string): ArrayBuffer => base64.decode(text).slice().buffer
