import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { evidenceTypeNames, evidenceTypes } from '../../interviews/lanes/lanes.evidence.ts'
import { partMeta, partSizes, systemAudioBegin, uploadBegin, uploadBegun } from './uploads.schemas.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const begin = {
  clientId: 'clip-0001',
  evidenceType: 'screen_clip',
  sizeBytes: 10_000_000,
  sha256: 'a'.repeat(64),
  contentType: 'video/mp4',
  capturedAt: '2026-03-02T10:00:00.000Z',
}

describe('the begin of an upload', () => {
  it('declares what will come', () => {
    expect(uploadBegin.parse(begin)).toEqual(begin)
    for (const name of Object.keys(begin)) {
      const { [name as keyof typeof begin]: _, ...rest } = begin
      expect(takes(uploadBegin, rest), name).toBe(false)
    }
  })

  it('takes every type of evidence up to the largest ceiling that one has', () => {
    const largest = Math.max(...evidenceTypeNames.map((type) => evidenceTypes[type].maxBytes))
    const sound = { durationMs: 1000, codec: 'opus' }
    for (const evidenceType of evidenceTypeNames)
      expect(takes(uploadBegin, { ...begin, ...sound, evidenceType })).toBe(true)
    expect(takes(uploadBegin, { ...begin, sizeBytes: largest })).toBe(true)
    for (const sizeBytes of [largest + 1, 0, -1, 1.5]) expect(takes(uploadBegin, { ...begin, sizeBytes })).toBe(false)
    expect(takes(uploadBegin, { ...begin, evidenceType: 'keystrokes' })).toBe(false)
  })

  it('needs length and codec of a system-audio chunk, the codec in either place', () => {
    const chunk = { ...begin, evidenceType: 'system_audio_chunk', durationMs: 1000 }
    expect(takes(uploadBegin, { ...chunk, codec: 'opus' })).toBe(true)
    expect(takes(uploadBegin, { ...chunk, metadata: { codec: 'opus' } })).toBe(true)
    for (const more of [{}, { metadata: {} }, { metadata: { codec: 5 } }, { codec: 'opus', durationMs: undefined }])
      expect(takes(uploadBegin, { ...chunk, ...more }), JSON.stringify(more)).toBe(false)
    const { evidenceType: _, ...unnamed } = chunk
    expect(systemAudioBegin.parse({ ...unnamed, codec: 'opus' }).evidenceType).toBe('system_audio_chunk')
    expect(takes(systemAudioBegin, unnamed)).toBe(false)
  })

  it('may ask for a part size within bounds, in whole cipher chunks', () => {
    expect(partSizes.byDefault % 65_536).toBe(0)
    for (const partSize of [partSizes.min, partSizes.byDefault, partSizes.max])
      expect(takes(uploadBegin, { ...begin, partSize })).toBe(true)
    for (const partSize of [partSizes.min - 65_536, partSizes.max + 65_536, partSizes.min + 1])
      expect(takes(uploadBegin, { ...begin, partSize })).toBe(false)
  })

  it('bounds the duration to a day, and free data to what one row may hold', () => {
    expect(takes(uploadBegin, { ...begin, durationMs: 86_400_000 })).toBe(true)
    for (const durationMs of [0, 86_400_001, 0.5]) expect(takes(uploadBegin, { ...begin, durationMs })).toBe(false)
    expect(takes(uploadBegin, { ...begin, metadata: { codec: 'h264' } })).toBe(true)
    expect(takes(uploadBegin, { ...begin, metadata: { text: 'x'.repeat(20_000) } })).toBe(false)
  })
})

describe('the answer to it', () => {
  it('is an upload, or the object that is here already', () => {
    const upload = { uploadId: 'upl_1', partSize: partSizes.byDefault, partCount: 3, receivedParts: [0] }
    expect(takes(uploadBegun, { ...upload, expiresAt: begin.capturedAt })).toBe(true)
    expect(takes(uploadBegun, { deduplicated: true })).toBe(false)
    expect(takes(uploadBegun, { deduplicated: false, evidence: {} })).toBe(false)
  })
})

describe('a part', () => {
  it('says its index, also as text in a query, and the hash of its own bytes', () => {
    expect(partMeta.parse({ index: '7', sha256: 'b'.repeat(64) })).toEqual({ index: 7, sha256: 'b'.repeat(64) })
    for (const index of ['-1', '1.5', 'x', '100001'])
      expect(takes(partMeta, { index, sha256: 'b'.repeat(64) }), index).toBe(false)
    expect(takes(partMeta, { index: 0, sha256: 'B'.repeat(64) })).toBe(false)
  })
})
