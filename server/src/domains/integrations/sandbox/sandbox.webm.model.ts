import { createHash } from 'node:crypto'

/** Of one Opus packet. Milliseconds. */
export const packetMs = 20
/** A cluster holds what its 16-bit times reach, with room. Milliseconds. */
const clusterMs = 5000

/** An EBML element (RFC 8794): its id in hex, its size in one byte or in four, its content. */
const element = (id: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(content)
  const size = Buffer.alloc(bytes.length < 127 ? 1 : 4)
  if (size.length === 1) size.writeUInt8(0x80 + bytes.length)
  else size.writeUInt32BE(0x1000_0000 + bytes.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, bytes])
}
const text = (id: string, value: string): Buffer => element(id, Buffer.from(value, 'latin1'))
const float = (id: string, value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return element(id, bytes)
}
const integer = (id: string, value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return element(id, bytes)
}

const head = element(
  '1a45dfa3',
  ...[integer('4286', 1), integer('42f7', 1), integer('42f2', 4), integer('42f3', 8), text('4282', 'webm')],
  ...[integer('4287', 4), integer('4285', 2)],
)

/** The identification header of mono Opus without a pre-skip (RFC 7845, 5.1). */
const opusHead = (): Buffer => {
  const bytes = Buffer.alloc(19)
  bytes.write('OpusHead', 0, 'latin1')
  bytes.writeUInt8(1, 8)
  bytes.writeUInt8(1, 9)
  bytes.writeUInt32LE(48_000, 12)
  return bytes
}

const tracks = element(
  '1654ae6b',
  element(
    'ae',
    ...[integer('d7', 1), integer('73c5', 1), integer('83', 2), integer('9c', 0), text('86', 'A_OPUS')],
    ...[element('63a2', opusHead()), integer('56aa', 0), integer('56bb', 80_000_000)],
    element('e1', float('b5', 48_000), integer('9f', 1)),
  ),
)

const block = (packet: Buffer, inCluster: number, flags: number): Buffer => {
  const place = Buffer.from([0x81, 0, 0, flags])
  place.writeInt16BE(inCluster, 1)
  return Buffer.concat([place, packet])
}

/** The last packet, of which the end is not heard. */
const cutBlock = (packet: Buffer, inCluster: number, discardMs: number): Buffer =>
  element('a0', element('a1', block(packet, inCluster, 0)), integer('75a2', discardMs * 1_000_000))

const clusters = (packets: readonly Buffer[], durationMs: number): Buffer[] => {
  const perCluster = clusterMs / packetMs
  const discardMs = packets.length * packetMs - durationMs
  return Array.from({ length: Math.ceil(packets.length / perCluster) }, (_, n) => {
    const blocks = packets.slice(n * perCluster, (n + 1) * perCluster).map((packet, at) => {
      const isCut = n * perCluster + at === packets.length - 1 && discardMs > 0
      return isCut ? cutBlock(packet, at * packetMs, discardMs) : element('a3', block(packet, at * packetMs, 0x80))
    })
    return element('1f43b675', integer('e7', n * clusterMs), ...blocks)
  })
}

/** A WebM file of these Opus packets, which last as long as they are told to; `name` tells it from others with the same sound. */
export const webmOf = (
  packets: readonly Buffer[],
  { durationMs, name }: { readonly durationMs: number; readonly name: string },
): Buffer => {
  const uid = createHash('sha256').update(name).digest().subarray(0, 16)
  const maker = 'sandbox'
  const info = element(
    '1549a966',
    ...[element('73a4', uid), integer('2ad7b1', 1_000_000), float('4489', durationMs)],
    ...[text('4d80', maker), text('5741', maker)],
  )
  return Buffer.concat([head, element('18538067', info, tracks, ...clusters(packets, durationMs))])
}
