import type { Picture } from '../session/session.types.ts'

const made = new WeakMap<Picture, string>()

/** An address for an image element. Made once for each picture; it lives as long as the page. */
export const pictureUri = (picture: Picture): string => {
  const known = made.get(picture)
  if (known !== undefined) return known
  const uri = URL.createObjectURL(new Blob([picture.bytes], { type: picture.contentType }))
  made.set(picture, uri)
  return uri
}
