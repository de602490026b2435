import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { evidenceTypes } from '../../interviews/lanes/lanes.evidence.ts'
import {
  beat,
  deviceConsentBody,
  placementBody,
  placementSteps,
  presenceBody,
  presenceIntervalSeconds,
  presenceMissedIntervals,
} from './companions.schemas.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const at = '2026-03-02T10:00:00.000Z'

describe('a beat', () => {
  const plain = { clientId: 'beat-0001', at, recording: 'on' }

  it('needs an instant and what the phone records; whatever it cannot tell is left out or null', () => {
    expect(takes(beat, plain)).toBe(true)
    expect(takes(beat, { ...plain, battery: null, charging: null, network: null, foreground: null })).toBe(true)
    expect(takes(beat, { clientId: 'beat-0001', at })).toBe(false)
  })

  it('tells the battery as a share', () => {
    for (const battery of [0, 0.5, 1]) expect(takes(beat, { ...plain, battery })).toBe(true)
    for (const battery of [-0.1, 1.1, 55, '0.5']) expect(takes(beat, { ...plain, battery })).toBe(false)
  })

  it('is off, on or interrupted', () => {
    for (const recording of ['off', 'on', 'interrupted']) expect(takes(beat, { ...plain, recording })).toBe(true)
    expect(takes(beat, { ...plain, recording: 'paused' })).toBe(false)
  })

  it('comes in batches that a phone long offline can fill', () => {
    const beats = (count: number) => ({ beats: Array.from({ length: count }, () => plain) })
    expect(takes(presenceBody, beats(500))).toBe(true)
    for (const count of [0, 501]) expect(takes(presenceBody, beats(count))).toBe(false)
    // An hour without a network fits into one.
    expect(3600 / presenceIntervalSeconds).toBeLessThanOrEqual(500)
  })
})

describe('silence', () => {
  it('is an interruption after half a minute', () => {
    expect(presenceIntervalSeconds * presenceMissedIntervals).toBe(30)
  })
})

describe('a placement', () => {
  const steps = placementSteps.map((step) => ({ step, confirmed: true }))
  const photo = { contentType: 'image/jpeg', sha256: 'a'.repeat(64), data: 'AAAA' }

  it('names every step once, in any order, confirmed or not', () => {
    expect(takes(placementBody, { steps, photo })).toBe(true)
    expect(takes(placementBody, { steps: steps.toReversed(), photo })).toBe(true)
    expect(takes(placementBody, { steps: steps.map(({ step }) => ({ step, confirmed: false })), photo })).toBe(true)
    expect(takes(placementBody, { steps: steps.slice(1), photo })).toBe(false)
    expect(takes(placementBody, { steps: steps.map(() => steps[0]), photo })).toBe(false)
  })

  it('has a photo in one of the formats of its evidence type', () => {
    for (const contentType of evidenceTypes.placement_photo.contentTypes)
      expect(takes(placementBody, { steps, photo: { ...photo, contentType } })).toBe(true)
    expect(takes(placementBody, { steps, photo: { ...photo, contentType: 'image/gif' } })).toBe(false)
    expect(takes(placementBody, { steps })).toBe(false)
  })
})

describe('the consent of a phone or a room', () => {
  it('accepts or declines the document whose hash it names', () => {
    const answer = { version: '1', locale: 'hi-IN', documentHash: 'c'.repeat(64), accepted: false, acceptedAt: at }
    expect(takes(deviceConsentBody, answer)).toBe(true)
    expect(takes(deviceConsentBody, { ...answer, accepted: 'no' })).toBe(false)
    expect(takes(deviceConsentBody, { ...answer, documentHash: 'short' })).toBe(false)
  })
})
