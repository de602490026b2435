import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { makeMedia } from '../../../test/test-support/film-fixtures.ts'
import { soundCodecs } from '../film/media-codecs.ts'
import { makeBox } from '../film/mp4-boxes.ts'
import type { Recording } from './media.types.ts'
import { checkMedia } from './media-check.ts'

/** As a store reads it: never from behind the end. */
const stored = (bytes: Buffer): Recording => ({
  sizeBytes: bytes.length,
  read: async (start, length) => {
    if (start >= bytes.length) throw new Error(`nothing is read at ${start} of ${bytes.length} bytes`)
    return bytes.subarray(start, start + length)
  },
})
const input = async (name: string) =>
  stored(await readFile(new URL(`../../../test/media-inputs/${name}`, import.meta.url)))
const refusal = (codec: string) =>
  expect.objectContaining({
    code: 'invalid_request',
    details: [{ path: 'data', message: expect.stringContaining(`cannot be decoded here: ${codec}`) }],
  })

describe('a recording', () => {
  it.each([
    ['s-mulaw.wav', 'audio/wav', 'sound', 'pcm_mulaw', 4000],
    ['s-alac.mp4', 'audio/mp4', 'sound', 'alac', 2500],
    ['s-pcm_s16be.mov.mp4', 'audio/mp4', 'sound', 'pcm_s16be', 2500],
    ['q.mp4', 'video/mp4', 'picture', 'h264', 4000],
    ['q-cut.webm', 'video/webm', 'picture', 'vp8', 2000],
    ['red60.webm', 'video/webm', 'picture', 'vp8', 59_900],
  ] as const)('%s is read by its container', async (name, contentType, kind, codec, durationMs) => {
    expect(await checkMedia(await input(name), contentType)).toEqual({
      tracks: [{ kind, codec }],
      durationMs,
      readable: true,
    })
  })

  it('whose index was never written is taken, and known to be unreadable', async () => {
    expect(await checkMedia(await input('q-nomoov.mp4'), 'video/mp4')).toMatchObject({ tracks: [], readable: false })
  })

  it('that is several joined into one is refused, and says what to send', async () => {
    const joined = expect.objectContaining({
      code: 'invalid_request',
      details: [{ path: 'data', message: expect.stringContaining('several recordings joined') }],
    })
    const whole = async (name: string) => {
      const { read, sizeBytes } = await input(name)
      return read(0, sizeBytes)
    }
    await expect(checkMedia(await input('cat-video.webm'), 'video/webm')).rejects.toEqual(joined)
    for (const [name, type] of [
      ['s-alac.mp4', 'audio/mp4'],
      ['q.mp4', 'video/mp4'],
      ['red60.webm', 'video/webm'],
    ] as const) {
      const once = await whole(name)
      await expect(checkMedia(stored(Buffer.concat([once, once])), type), name).rejects.toEqual(joined)
    }
    const sound = await makeMedia('ogg', ['-f', 'lavfi', '-i', 'sine=duration=20', '-c:a', 'libopus'])
    await checkMedia(stored(sound), 'audio/ogg')
    await expect(checkMedia(stored(Buffer.concat([sound, sound])), 'audio/ogg')).rejects.toEqual(joined)
    // As a browser writes it while it records: neither the whole nor its clusters say how long they are.
    const live = await makeMedia('webm', ['-f', 'lavfi', '-i', 'sine=duration=20', '-c:a', 'libopus', '-live', '1'])
    await checkMedia(stored(live), 'audio/webm')
    await expect(checkMedia(stored(Buffer.concat([live, live])), 'audio/webm')).rejects.toEqual(joined)
  })

  it.each([
    ['webm', ['-c:v', 'libvpx']],
    ['webm', ['-c:v', 'libvpx', '-live', '1']],
    ['mkv', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
    ['mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-bf', '0']],
  ] as const)('that is a piece of a longer one is as long as it is itself, in %s', async (extension, args) => {
    const source = ['-f', 'lavfi', '-i', 'color=red:s=64x36:r=10:d=3', '-f', 'lavfi', '-i', 'sine=duration=3']
    const bytes = await makeMedia(extension, [...source, ...args, '-output_ts_offset', '3600'])
    const type = extension === 'mkv' ? 'video/x-matroska' : `video/${extension}`
    const { durationMs } = await checkMedia(stored(bytes), type)
    expect(durationMs).toBeGreaterThan(2900)
    expect(durationMs).toBeLessThan(3200)
  })

  it.each([
    ['webm', ['-c:a', 'libopus', '-live', '1']],
    ['mp4', ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '500000']],
    ['mp4', ['-c:a', 'aac', '-movflags', 'frag_keyframe+delay_moov', '-frag_duration', '500000']],
    ['ogg', ['-c:a', 'libopus']],
    ['ogg', ['-c:a', 'libvorbis']],
    ['ogg', ['-c:a', 'flac']],
  ] as const)(
    'whose head does not say how long it is, is measured by its end, in %s of %j',
    async (extension, args) => {
      const source = ['-f', 'lavfi', '-i', 'sine=duration=12.3:sample_rate=48000']
      for (const offset of [0, 3600]) {
        const bytes = await makeMedia(extension, [...source, ...args, '-output_ts_offset', String(offset)])
        const { durationMs } = await checkMedia(stored(bytes), `audio/${extension}`)
        // Of an Ogg that goes on from another, without its first page.
        expect(durationMs, `${offset}`).toBeGreaterThan(extension === 'ogg' && offset > 0 ? 11_000 : 12_200)
        expect(durationMs, `${offset}`).toBeLessThan(12_400)
        // Cut, it is as long as what is there.
        const half = await checkMedia(stored(bytes.subarray(0, bytes.length / 2)), `audio/${extension}`)
        if (half.durationMs !== null) expect(half.durationMs).toBeLessThan(9000)
      }
    },
  )

  it('that ends anywhere is read as far as it goes, without a fault', async () => {
    for (const [name, type] of [
      ['s-alac.mp4', 'audio/mp4'],
      ['q.mp4', 'video/mp4'],
      ['s-mulaw.wav', 'audio/wav'],
      ['q-cut.webm', 'video/webm'],
    ] as const) {
      const { read, sizeBytes } = await input(name)
      const whole = await read(0, sizeBytes)
      for (let length = 7; length < Math.min(sizeBytes, 1500); length += 7)
        await checkMedia(stored(whole.subarray(0, length)), type)
    }
  })

  it('of bytes that nobody understands is taken', async () => {
    for (const type of ['audio/webm', 'audio/ogg', 'audio/mp4', 'audio/wav', 'video/webm', 'video/x-matroska'])
      expect(await checkMedia(stored(Buffer.alloc(4000, 0x5a)), type)).toMatchObject({ tracks: [] })
  })
})

const wav = (format: number, bits: number, data = 16_000, extra = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(16)
  head.writeUInt16LE(format, 0)
  head.writeUInt16LE(1, 2)
  head.writeUInt32LE(8000, 4)
  head.writeUInt32LE(1000 * bits, 8)
  head.writeUInt16LE(bits, 14)
  const chunk = (name: string, body: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(body.length)
    return Buffer.concat([Buffer.from(name), size, body])
  }
  const body = [
    chunk('fmt ', Buffer.concat([head, extra])),
    chunk('LIST', Buffer.alloc(26)),
    chunk('data', Buffer.alloc(data)),
  ]
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), ...body])
}

describe('sound in WAVE', () => {
  it.each([
    [1, 8, 'pcm_u8'],
    [1, 16, 'pcm_s16le'],
    [1, 24, 'pcm_s24le'],
    [1, 32, 'pcm_s32le'],
    [2, 4, 'adpcm_ms'],
    [3, 32, 'pcm_f32le'],
    [3, 64, 'pcm_f64le'],
    [6, 8, 'pcm_alaw'],
    [7, 8, 'pcm_mulaw'],
    [0x11, 4, 'adpcm_ima_wav'],
    [0x55, 0, 'mp3'],
  ] as const)('of format %i and %i bits is taken as %s', async (format, bits, codec) => {
    expect((await checkMedia(stored(wav(format, bits)), 'audio/wav')).tracks).toEqual([{ kind: 'sound', codec }])
  })

  it('has the length of its bytes, also where it was written as it was recorded', async () => {
    const bytes = wav(1, 16, 32_000)
    expect((await checkMedia(stored(bytes), 'audio/wav')).durationMs).toBe(2000)
    bytes.writeUInt32LE(0xffffffff, bytes.length - 32_004)
    expect((await checkMedia(stored(bytes), 'audio/wav')).durationMs).toBe(2000)
  })

  it('is known by its inner format where that is written apart', async () => {
    const inner = (number: number) => Buffer.from([22, 0, 16, 0, 4, 0, 0, 0, number, 0, ...Array(14).fill(0)])
    const of = (number: number) => checkMedia(stored(wav(0xfffe, 16, 16_000, inner(number))), 'audio/wav')
    expect((await of(1)).tracks).toEqual([{ kind: 'sound', codec: 'pcm_s16le' }])
    await expect(of(0x31)).rejects.toEqual(refusal('gsm_ms'))
  })

  it('of AAC is taken where each frame says where it begins, and as encoders write it without that refused', async () => {
    const framed = await makeMedia('aac', ['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'aac'])
    for (const number of [0xff, 0x1600]) {
      const whole = wav(number, 16, framed.length)
      framed.copy(whole, whole.length - framed.length)
      expect((await checkMedia(stored(whole), 'audio/wav')).tracks).toEqual([{ kind: 'sound', codec: 'aac' }])
    }
    const bare = await makeMedia('wav', ['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'aac'])
    await expect(checkMedia(stored(bare), 'audio/wav')).rejects.toEqual(refusal('AAC without heads of frames'))
  })

  it.each([
    [0x31, 'gsm_ms'],
    [0x50, 'mp2'],
    [0xff, 'AAC without heads of frames'],
    [0x1600, 'AAC without heads of frames'],
    [0x1610, 'WAVE format 5648 of 16 bits'],
    [0x2000, 'ac3'],
    [0x4242, 'WAVE format 16962 of 16 bits'],
  ] as const)('of format %i is refused by name', async (format, codec) => {
    await expect(checkMedia(stored(wav(format, 16)), 'audio/wav')).rejects.toEqual(refusal(codec))
  })
})

describe('tracks of other containers', () => {
  const ogg = (packet: string): Buffer => {
    const head = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(22), Buffer.from([1, packet.length])])
    head[5] = 2
    return Buffer.concat([head, Buffer.from(packet, 'latin1'), Buffer.alloc(60)])
  }
  const element = (id: number[], body: Buffer) => Buffer.concat([Buffer.from([...id, 0x80 | body.length]), body])
  /** `own`: what is private to the codec. */
  const matroska = (codec: string, own?: Buffer): Buffer => {
    const inside = [element([0x86], Buffer.from(codec)), ...(own ? [element([0x63, 0xa2], own)] : [])]
    const entry = element([0xae], Buffer.concat(inside))
    const segment = Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
    return Buffer.concat([
      element([0x1a, 0x45, 0xdf, 0xa3], Buffer.alloc(5)),
      segment,
      element([0x16, 0x54, 0xae, 0x6b], entry),
    ])
  }
  /** The head of a bitmap, with the letters by which Windows names a codec. */
  const bitmap = (letters: string): Buffer => {
    const head = Buffer.alloc(40)
    head.write(letters, 16, 'latin1')
    return head
  }
  /** A sample entry of QuickTime. */
  const entry = (letters: string): Buffer => makeBox(letters, Buffer.alloc(28))
  /** The format of a WAVE file by its number. */
  const format = (number: number) => Buffer.from([number, 0, 1, 0, 64, 31, 0, 0, 64, 31, 0, 0, 1, 0, 8, 0])
  const mp4 = (kind: string, type: string, last = false): Buffer => {
    const named = makeBox('hdlr', Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(12))
    const entries = makeBox('stsd', Buffer.alloc(8), makeBox(type, Buffer.alloc(28)))
    const movie = makeBox('moov', makeBox('trak', makeBox('mdia', named, makeBox('minf', makeBox('stbl', entries)))))
    const data = makeBox('mdat', Buffer.alloc(5000))
    return Buffer.concat([makeBox('ftyp', Buffer.from('isom')), ...(last ? [data, movie] : [movie, data])])
  }
  it.each([
    ['Opus in Ogg', ogg('OpusHead'), 'audio/ogg'],
    ['FLAC in Ogg', ogg('\x7fFLAC'), 'audio/ogg'],
    ['Opus in WebM', matroska('A_OPUS'), 'audio/webm'],
    ['AAC of a profile in Matroska', matroska('A_AAC/MPEG4/LC'), 'audio/webm'],
    ['AV1 in Matroska', matroska('V_AV1'), 'video/x-matroska'],
    ['H.264 as Windows names it in Matroska', matroska('V_MS/VFW/FOURCC', bitmap('h264')), 'video/x-matroska'],
    ['HEVC as QuickTime names it in Matroska', matroska('V_QUICKTIME', entry('hvc1')), 'video/x-matroska'],
    ['ALAC as QuickTime names it in Matroska', matroska('A_QUICKTIME', entry('alac')), 'audio/webm'],
    ['G.711 that QuickTime names by letters alone', matroska('A_QUICKTIME', Buffer.from('ulaw')), 'audio/webm'],
    ['G.711 in Matroska', matroska('A_MS/ACM', format(7)), 'audio/webm'],
    ['narrow speech of a telephone', mp4('soun', 'samr'), 'audio/mp4'],
    ['G.711 in MP4', mp4('soun', 'ulaw'), 'audio/mp4'],
    ['AAC whose index is last', mp4('soun', 'mp4a', true), 'audio/mp4'],
    ['HEVC', mp4('vide', 'hvc1'), 'video/mp4'],
    ['a film with sound that is not shown', mp4('soun', 'ac-3'), 'video/mp4'],
  ])('%s are taken', async (_name, bytes, type) => {
    await checkMedia(stored(bytes), type)
  })

  it.each([
    ['Speex in Ogg', ogg('Speex   '), 'audio/ogg', 'speex'],
    ['AC-3 in Matroska', matroska('A_AC3'), 'audio/webm', 'A_AC3'],
    ['GSM that Matroska holds as a WAVE file does', matroska('A_MS/ACM', format(0x31)), 'audio/webm', 'gsm_ms'],
    ['Windows Media in Matroska', matroska('V_MS/VFW/FOURCC', bitmap('WMV2')), 'video/x-matroska', 'WMV2'],
    ['what Windows does not name', matroska('V_MS/VFW/FOURCC', bitmap('\0\0\0\0')), 'video/x-matroska', 'V_MS/VFW'],
    ['what nobody names at all', matroska('V_MS/VFW/FOURCC'), 'video/x-matroska', 'V_MS/VFW'],
    ['Sorenson by QuickTime in Matroska', matroska('V_QUICKTIME', entry('SVQ3')), 'video/x-matroska', 'SVQ3'],
    ['QDesign by QuickTime in Matroska', matroska('A_QUICKTIME', entry('QDM2')), 'audio/webm', 'QDM2'],
    ['AC-3 in MP4', mp4('soun', 'ac-3'), 'audio/mp4', 'ac3'],
    ['AC-3 whose index is last', mp4('soun', 'ac-3', true), 'audio/mp4', 'ac3'],
    ['what is encrypted', mp4('vide', 'encv'), 'video/mp4', 'encrypted'],
    ['ProRes', mp4('vide', 'apch'), 'video/mp4', 'apch'],
    ['Theora by Matroska', matroska('V_THEORA'), 'video/x-matroska', 'V_THEORA'],
  ])('%s are refused by name', async (_name, bytes, type, codec) => {
    await expect(checkMedia(stored(bytes), type)).rejects.toEqual(refusal(codec))
  })

  it('are held to the list that the film decodes by', () => {
    for (const codec of ['alac', 'pcm_mulaw', 'pcm_alaw', 'pcm_s16be', 'amrnb']) expect(soundCodecs).toContain(codec)
  })
})
