import { sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { Session } from './interview-types.ts'
import { patchOf, rebased, recordedWords } from './recorded-words.ts'

const config: Session['config'] = sessionConfig.parse({
  audio: { systemAudio: false },
  optionalLanes: [],
  requiredApps: ['Zoom'],
})

describe('the settings of one interview', () => {
  it('are sent as far as they were changed', () => {
    const words = recordedWords(config)
    expect(patchOf(config, words)).toEqual({})
    const changed = { ...words, 'camera.enabled': 'false', retentionDays: '30', requiredApps: 'Zoom\n Code \n' }
    expect(patchOf(config, changed)).toEqual({
      camera: { enabled: false },
      retentionDays: 30,
      requiredApps: ['Zoom', 'Code'],
    })
  })

  it('keep what somebody else saved meanwhile', () => {
    const before = recordedWords(config)
    const theirs = { ...config, pauseAllowed: true, retentionDays: 10 }
    const mine = rebased(before, { ...before, retentionDays: '30' }, theirs)
    expect(patchOf(theirs, mine)).toEqual({ retentionDays: 30 })
    expect(mine.pauseAllowed).toBe('true')
  })

  it('switch on one source of sound alone where all were off at once', () => {
    const silent = { ...config, audio: { ...config.audio, enabled: false, systemAudio: true } }
    const words = recordedWords(silent)
    expect(words['audio.microphone']).toBe('false')
    expect(patchOf(silent, { ...words, 'audio.microphone': 'true' })).toEqual({
      audio: { enabled: true, microphone: true, systemAudio: false, transcript: false },
    })
  })
})
