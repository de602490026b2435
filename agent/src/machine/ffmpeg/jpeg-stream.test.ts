import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { JpegSplitter } from './jpeg-stream.ts'

const picture = (red: number): Promise<Buffer> =>
  sharp({ create: { width: 32, height: 24, channels: 3, background: { r: red, g: 80, b: 20 } } })
    .jpeg()
    .toBuffer()

describe('the JPEG splitter', () => {
  it('gives whole pictures however the stream is cut', async () => {
    const pictures = await Promise.all([10, 120, 250].map(picture))
    const stream = Buffer.concat(pictures)
    const splitter = new JpegSplitter()
    const found: Buffer[] = []
    for (let at = 0; at < stream.length; at += 101) found.push(...splitter.push(stream.subarray(at, at + 101)))
    expect(found.map((bytes) => bytes.toString('hex'))).toEqual(pictures.map((bytes) => bytes.toString('hex')))
  })

  it('keeps an unfinished picture back', async () => {
    const whole = await picture(10)
    expect(new JpegSplitter().push(whole.subarray(0, whole.length - 1))).toEqual([])
  })
})
