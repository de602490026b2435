const headBytes = 27

/**
 * The packets of an Ogg file with one stream (RFC 3533), in their order. A packet goes on while the lacing values of its segments
 * are 255, in the next page too.
 */
export const packetsOf = (file: Buffer): Buffer[] => {
  const packets: Buffer[] = []
  let begun: Buffer[] = []
  for (let at = 0; at < file.length; ) {
    if (file.toString('latin1', at, at + 4) !== 'OggS') throw new Error(`no page of Ogg at ${at}`)
    const segments = file[at + 26] ?? 0
    let from = at + headBytes + segments
    for (const length of file.subarray(at + headBytes, from)) {
      begun.push(file.subarray(from, from + length))
      from += length
      if (length === 255) continue
      packets.push(Buffer.concat(begun))
      begun = []
    }
    at = from
  }
  return packets
}
