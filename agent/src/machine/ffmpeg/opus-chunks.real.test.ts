import { describe, expect, it } from 'vitest'
import { decodeSound, toneAmplitude } from '../../../test/test-support/decode.ts'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith } from '../../../test/test-support/virtual-desktop.ts'
import { sampleRate } from '../../core/capture/pcm.ts'
import { openOpusChunks, WebmSplitter } from './opus-chunks.ts'

/** A sine as 16-bit PCM. */
const tone = (hertz: number, seconds: number): Buffer => {
  const pcm = Buffer.alloc(Math.round(seconds * sampleRate) * 2)
  for (let i = 0; i < pcm.length / 2; i += 1) {
    pcm.writeInt16LE(Math.round(16_000 * Math.sin((2 * Math.PI * hertz * i) / sampleRate)), i * 2)
  }
  return pcm
}

describe('WebM splitter', () => {
  const header = Buffer.alloc(WebmSplitter.headerBytes, 'header')
  const file = (body: string): Buffer => Buffer.concat([header, Buffer.from(body.padEnd(50, '.'))])

  it('gives the same files however the stream is cut', () => {
    const files = [file('one'), file('two'), file('three')]
    const stream = Buffer.concat(files)
    for (const size of [1, 7, 39, 40, 41, 100, stream.length]) {
      const splitter = new WebmSplitter()
      const found: Buffer[] = []
      for (let at = 0; at < stream.length; at += size) found.push(...splitter.push(stream.subarray(at, at + size)))
      const last = splitter.flush()
      expect([...found, last]).toEqual(files)
    }
  })

  it('does not take the first bytes of a header inside of a file for the next file', () => {
    const splitter = new WebmSplitter()
    const odd = Buffer.concat([file('one'), header.subarray(0, 20), Buffer.from('more'.repeat(20))])
    expect(splitter.push(odd)).toEqual([])
    expect(splitter.flush()).toEqual(odd)
    expect(splitter.flush()).toBeUndefined()
  })
})

describe.skipIf(!canRunWith('opus chunks', ['ffmpeg']))('opus chunks', () => {
  const settings = { chunkSeconds: 2, bitrateKbps: 24 }

  it('gives a file that plays by itself for each chunk, as soon as the sound after it begins', async () => {
    const chunks: Buffer[] = []
    const encoder = openOpusChunks(settings, undefined, (bytes) => chunks.push(bytes))
    for (const hertz of [440, 1250]) encoder.write(tone(hertz, 2))
    encoder.write(tone(880, 1))
    await until('two chunks, while the third goes on', () => chunks.length === 2)
    await encoder.finish()
    expect(chunks).toHaveLength(3)
    const heard = await Promise.all(chunks.map((bytes) => decodeSound(bytes)))
    expect(heard.map((samples) => Math.round((samples.length / sampleRate) * 10))).toEqual([20, 20, 10])
    for (const [index, hertz] of [440, 1250, 880].entries()) {
      expect(toneAmplitude(heard[index]!, hertz)).toBeGreaterThan(0.3)
    }
    expect(toneAmplitude(heard[0]!, 1250)).toBeLessThan(0.05)
    // The look-ahead may carry the last 7 ms of the chunk before, not more.
    expect(toneAmplitude(heard[1]!.subarray(sampleRate / 10), 440)).toBeLessThan(0.05)
  })

  it('says why the encoder ended, and gives no half file of one that was killed', async () => {
    const chunks: Buffer[] = []
    const env = { ...process.env, FFMPEG_PATH: '/bin/cat' }
    const encoder = openOpusChunks(settings, env, (bytes) => chunks.push(bytes))
    expect(await encoder.ended).toContain('ended (1)')
    encoder.write(tone(440, 2))
    await encoder.finish()
    expect(chunks).toEqual([])
  })
})
