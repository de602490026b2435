/*
 * What goes into the encoder: one Matroska stream (RFC 9559) of uncompressed pictures and sound. A picture is sent only
 * when it differs from the former, with its time; sound and picture come interleaved through one pipe, so that no two
 * pipes can wait for each other.
 */

export const soundRate = 48_000
const pictures = 1
const sound = 2

/** A size or number of Matroska in 8 bytes: the first bit set says how long it is. */
const size8 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeUIntBE(value, 2, 6)
  bytes[0] = 0x01
  return bytes
}
const id = (hex: string): Buffer => Buffer.from(hex, 'hex')
const element = (hexId: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  return Buffer.concat([id(hexId), size8(body.length), body])
}
const number = (hexId: string, value: number): Buffer => {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(value, 0, 6)
  return element(hexId, bytes)
}
const text = (hexId: string, value: string): Buffer => element(hexId, Buffer.from(value, 'ascii'))
const float = (hexId: string, value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return element(hexId, bytes)
}

const pictureTrack = (width: number, height: number): Buffer =>
  element(
    'ae',
    number('d7', pictures),
    number('73c5', pictures),
    number('83', 1),
    number('9c', 0),
    text('86', 'V_UNCOMPRESSED'),
    element(
      'e0',
      number('b0', width),
      number('ba', height),
      text('2eb524', 'I420'),
      // Matrix, transfer and primaries of BT.709, limited range.
      element('55b0', number('55b1', 1), number('55b9', 1), number('55ba', 1), number('55bb', 1)),
    ),
  )

const soundTrack = (): Buffer =>
  element(
    'ae',
    number('d7', sound),
    number('73c5', sound),
    number('83', 2),
    number('9c', 0),
    text('86', 'A_PCM/INT/LIT'),
    element('e1', float('b5', soundRate), number('9f', 1), number('6264', 16)),
  )

/** The stream's beginning: I420 pictures of that size, and s16le mono sound at 48 kHz. */
export const streamHead = (width: number, height: number): Buffer =>
  Buffer.concat([
    element(
      '1a45dfa3',
      number('4286', 1),
      number('42f7', 1),
      number('42f2', 4),
      number('42f3', 8),
      text('4282', 'matroska'),
      number('4287', 4),
      number('4285', 2),
    ),
    id('18538067'),
    id('01ffffffffffffff'), // of unknown length
    element('1549a966', number('2ad7b1', 1_000_000), text('4d80', 'film'), text('5741', 'film')),
    element('1654ae6b', pictureTrack(width, height), soundTrack()),
  ])

/** What is before the bytes of one picture or one piece of sound: a cluster of its own, timed in milliseconds. */
const blockHead = (track: number, atMs: number, bytes: number): Buffer => {
  const timestamp = number('e7', atMs)
  const block = Buffer.concat([id('a3'), size8(bytes + 4), Buffer.from([0x80 | track, 0, 0, 0x80])])
  return Buffer.concat([id('1f43b675'), size8(timestamp.length + block.length + bytes), timestamp, block])
}
export const pictureHead = (atMs: number, bytes: number): Buffer => blockHead(pictures, atMs, bytes)
export const soundHead = (atMs: number, bytes: number): Buffer => blockHead(sound, atMs, bytes)
