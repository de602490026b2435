/** Milliseconds. */
export const longestChimeMs = 2000
export const shortestChimeMs = 20

const rate = 8000
const headerBytes = 44

/** A canonical WAV header: PCM, mono, 16 bit, 8 kHz (RIFF WAVE, format 1). */
const header = (dataBytes: number): Buffer => {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(dataBytes, 40)
  return bytes
}

/** A chime that fades, as a WAV file: 16 kB for each second. The same arguments give the same bytes. */
export const chime = (durationMs: number, number: number): Buffer => {
  const samples = Math.max(1, Math.round((durationMs * rate) / 1000))
  // Up the scale from A3, three octaves of semitones: chimes of one session are told apart by ear.
  const pitch = 220 * 2 ** ((number % 36) / 12)
  const data = Buffer.alloc(samples * 2)
  for (let i = 0; i < samples; i++) {
    const t = i / rate
    const tone = Math.sin(2 * Math.PI * pitch * t) + 0.5 * Math.sin(4 * Math.PI * pitch * t)
    // 5 ms of attack against a click, then the fading.
    const envelope = Math.min(1, t / 0.005) * Math.exp(-3 * t)
    data.writeInt16LE(Math.round(tone * envelope * 12_000), i * 2)
  }
  return Buffer.concat([header(data.length), data])
}
