import { type SessionConfigPatch, sessionConfig, sessionConfigPatch } from '@integrity/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeConfig } from './sessions.config.service.ts'

const base = sessionConfig.parse({
  capture: { quality: 60, recording: true },
  requiredApps: ['Editor'],
  optionalLanes: ['camera'],
})

const patches: fc.Arbitrary<SessionConfigPatch> = fc
  .record(
    {
      retentionDays: fc.integer({ min: 1, max: 3650 }),
      signals: fc.boolean(),
      requiredApps: fc.array(fc.constantFrom('A', 'B'), { maxLength: 2 }),
      capture: fc.record({ quality: fc.integer({ min: 10, max: 100 }), enabled: fc.boolean() }, { requiredKeys: [] }),
      audio: fc.record(
        { microphone: fc.boolean(), chunkSeconds: fc.integer({ min: 2, max: 60 }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
  .map((patch) => sessionConfigPatch.parse(patch))

describe('mergeConfig', () => {
  it('changes what is named and nothing beside it', () => {
    const merged = mergeConfig(base, { capture: { quality: 90 } })
    expect(merged).toEqual({ ...base, capture: { ...base.capture, quality: 90 } })
  })

  it('replaces lists instead of joining them', () => {
    expect(mergeConfig(base, { requiredApps: ['Browser'], optionalLanes: [] })).toMatchObject({
      requiredApps: ['Browser'],
      optionalLanes: [],
    })
  })

  it('takes nothing from what is undefined', () => {
    expect(mergeConfig(base, { retentionDays: undefined, capture: { quality: undefined } })).toEqual(base)
    expect(mergeConfig(base, {})).toEqual(base)
  })

  it('leaves its arguments as they were', () => {
    const before = structuredClone(base)
    mergeConfig(base, { capture: { quality: 10 } })
    expect(base).toEqual(before)
  })

  it('is the same done twice, and the last patch wins', () => {
    fc.assert(
      fc.property(patches, patches, (first, second) => {
        const once = mergeConfig(base, first)
        expect(mergeConfig(once, first)).toEqual(once)
        const both = mergeConfig(once, second)
        expect(mergeConfig(mergeConfig(both, first), second)).toEqual(both)
        expect(sessionConfig.parse(both)).toEqual(both)
      }),
      { seed: 13 },
    )
  })
})
