/** Two s16le samples: all channels of a recording as one, and its first channel alone. */
export const pairBytes = 4

/** Power of what is left when the channels of a recording cancel each other, against the power of one: 30 dB below. */
const cancelled = 1e-3
/** Mean power below which a channel has nothing to hear: a few steps of 16 bits. */
const inaudible = 100

const powers = (samples: Int16Array): { all: number; first: number } => {
  let [all, first] = [0, 0]
  for (let i = 0; i + 1 < samples.length; i += 2) {
    const [a, b] = [samples[i] as number, samples[i + 1] as number]
    all += a * a
    first += b * b
  }
  return { all, first }
}

/**
 * What is heard of pairs of samples: all channels together, or the first one where they cancel each other, as those of
 * opposite phase do. Takes a buffer of its own memory and answers in it.
 */
export const heardOf = (pairs: Buffer): Buffer => {
  const count = Math.floor(pairs.length / pairBytes)
  const samples = new Int16Array(pairs.buffer, pairs.byteOffset, count * 2)
  const { all, first } = powers(samples)
  const channel = first > inaudible * count && all < first * cancelled ? 1 : 0
  for (let i = 0; i < count; i++) samples[i] = samples[2 * i + channel] as number
  return pairs.subarray(0, count * 2)
}

/** Silence at least this long is a hole in a recording that has holes, samples at 48 kHz. */
const leastHole = 2400

/** Where samples (s16le) are silent for some time, in samples from their beginning. */
export const silencesIn = (pcm: Buffer): { readonly from: number; readonly until: number }[] => {
  const found: { from: number; until: number }[] = []
  const samples = Math.floor(pcm.length / 2)
  for (let from = 0, at = 0; at <= samples; at++) {
    if (at < samples && pcm.readInt16LE(at * 2) === 0) continue
    if (at - from >= leastHole) found.push({ from, until: at })
    from = at + 1
  }
  return found
}
