import { encodeBase64 } from '../platform/base64.ts'
import type { Picture } from '../session/session.types.ts'

/** An address for an image. */
export const pictureUri = ({ bytes, contentType }: Picture): string =>
  `data:${contentType};base64,${encodeBase64(bytes)}`
