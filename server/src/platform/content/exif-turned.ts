/** The tag of TIFF in which EXIF keeps how a picture is to be shown, and the values of it that lay it on its side. */
const orientationTag = 0x0112
const firstOnItsSide = 5
const lastOnItsSide = 8

/** Whether EXIF data, from their TIFF header on, say that a picture is to be shown on its side. */
const isTurned = (tiff: Buffer): boolean => {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return false
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const directory = u32(4)
  if (directory + 2 > tiff.length) return false
  const end = Math.min(tiff.length, directory + 2 + 12 * u16(directory))
  for (let at = directory + 2; at + 12 <= end; at += 12) {
    if (u16(at) !== orientationTag) continue
    const value = u16(at + 8)
    return value >= firstOnItsSide && value <= lastOnItsSide
  }
  return false
}

const exifMark = 'Exif\0\0'

/** The same of a segment or chunk that may begin with the mark of EXIF. */
export const isTurnedBy = (bytes: Buffer): boolean =>
  isTurned(bytes.toString('latin1', 0, exifMark.length) === exifMark ? bytes.subarray(exifMark.length) : bytes)
