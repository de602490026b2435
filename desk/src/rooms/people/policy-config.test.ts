import { aidNames as contract, sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { aidNames } from './aid-names.ts'
import { configOf, differencesOf, usualConfig, wordsOf } from './policy-config.ts'

describe('the settings of a policy in a form', () => {
  it('begin with what the contract asks for by default', () => {
    expect(usualConfig).toEqual(sessionConfig.parse({}))
  })

  it('name each aid that the contract knows', () => {
    expect(aidNames).toEqual(contract)
  })

  it('are sent as they were read, every one of them', () => {
    const config = sessionConfig.parse({
      retentionDays: 7,
      capture: { enabled: false, quality: 40, screenshotIntervalSeconds: 3, recording: true },
      audio: {
        enabled: false,
        microphone: false,
        systemAudio: false,
        transcript: true,
        candidateOnly: true,
        chunkSeconds: 3,
      },
      camera: { enabled: false, stills: false, stillIntervalSeconds: 4, clips: true, clipSeconds: 5 },
      sideView: { enabled: true, previewIntervalSeconds: 6, recording: true },
      aids: { offered: ['screen_reader', 'breaks'], breaks: { count: 3, minutes: 7 } },
      signals: false,
      windowTitles: true,
      pauseAllowed: true,
      baseRates: false,
      observersOff: ['clipboard'],
      optionalLanes: ['screen', 'camera'],
      requiredApps: ['Zoom', 'An editor'],
    })
    const { declared: _, ...aids } = config.aids
    expect(configOf(wordsOf(config))).toEqual({ ...config, aids })
    expect(configOf({ ...wordsOf(config), retentionDays: ' ' }).retentionDays).toBeNaN()
  })

  it('differ by what differs, and in nothing else', () => {
    const after = { ...usualConfig, retentionDays: 30, optionalLanes: ['camera' as const] }
    expect(differencesOf(usualConfig, after).map(({ path }) => path)).toEqual(['retentionDays', 'optionalLanes'])
    expect(differencesOf(after, structuredClone(after))).toEqual([])
  })
})
