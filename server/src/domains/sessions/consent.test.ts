import { createHash } from 'node:crypto'
import { agentLanes, laneNames, lanes, sessionConfig } from '@integrity/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../platform/canonical-json.ts'
import { consentTo } from './build-session.test-support.ts'
import { consentDocument, laneGranted } from './consent.ts'

const everything = sessionConfig.parse({ audio: { transcript: true }, sideView: { enabled: true } })
const textOf = (config: object, lane: string) =>
  consentDocument(sessionConfig.parse(config)).lanes.find((entry) => entry.lane === lane)?.text

describe('the consent document', () => {
  it('asks for the lanes that the policy switches on, in the order of the registry', () => {
    expect(consentDocument(everything).lanes.map((entry) => entry.lane)).toEqual([...agentLanes])
    const quiet = sessionConfig.parse({ audio: { enabled: false }, camera: { stills: false, clips: false } })
    expect(consentDocument(quiet).lanes.map((entry) => entry.lane)).toEqual(['screen', 'signals'])
    expect(consentDocument(everything, ['side_view', 'room_camera']).lanes.map((entry) => entry.lane)).toEqual([
      'side_view',
      'room_camera',
    ])
  })

  it('says which lanes may be declined', () => {
    const config = sessionConfig.parse({ optionalLanes: ['camera'] })
    const required = consentDocument(config).lanes.filter((entry) => entry.required)
    expect(required.map((entry) => entry.lane)).toEqual(['screen', 'microphone', 'system_audio', 'signals'])
  })

  it('leaves no placeholder open and names the intervals', () => {
    for (const { text, title } of consentDocument(everything, laneNames).lanes) {
      expect(text).not.toMatch(/[{}]/)
      expect(title).not.toBe('')
    }
    expect(textOf({ capture: { screenshotIntervalSeconds: 7 } }, 'screen')).toContain('one every 7 seconds')
    expect(textOf({ camera: { stillIntervalSeconds: 33 } }, 'camera')).toContain('one every 33 seconds')
  })

  it('says what goes beyond the usual: window titles and film', () => {
    expect(textOf({}, 'signals')).toContain('Never window titles')
    expect(textOf({ windowTitles: true }, 'signals')).not.toContain('Never window titles')
    expect(textOf({ windowTitles: true }, 'signals')).toContain('titles of windows')
    expect(textOf({}, 'screen')).not.toContain('film')
    expect(textOf({ capture: { recording: true } }, 'screen')).toContain('film')
  })

  it('has a hash over all of it, and only over what is shown', () => {
    const { hash, ...shown } = consentDocument(everything)
    expect(hash).toBe(createHash('sha256').update(canonicalize(shown)).digest('hex'))
    const hashOf = (config: object) => consentDocument(sessionConfig.parse(config)).hash
    const changes = [
      { retentionDays: 1 },
      { optionalLanes: [] },
      { windowTitles: true },
      { capture: { screenshotIntervalSeconds: 11 } },
      { signals: false },
    ]
    expect(new Set([{}, ...changes].map(hashOf)).size).toBe(changes.length + 1)
    expect(hashOf({ capture: { quality: 10 } })).toBe(hashOf({}))
  })

  it('follows from the policy alone, whatever the policy is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3600 }),
        fc.subarray([...laneNames]),
        fc.boolean(),
        (seconds, optionalLanes, on) => {
          const config = sessionConfig.parse({
            capture: { enabled: on, screenshotIntervalSeconds: seconds },
            optionalLanes,
          })
          const document = consentDocument(config)
          expect(document).toEqual(consentDocument(structuredClone(config)))
          for (const entry of document.lanes) {
            expect(entry.title).toBe(lanes[entry.lane].title)
            expect(entry.required).toBe(!optionalLanes.includes(entry.lane))
          }
        },
      ),
      { seed: 11 },
    )
  })
})

it('a lane is granted only by a consent that names it and still stands', () => {
  const consent = consentTo('screen')
  expect(laneGranted(consent, 'screen')).toBe(true)
  expect(laneGranted(consent, 'camera')).toBe(false)
  expect(laneGranted(null, 'screen')).toBe(false)
  const at = consent.acceptedAt as string
  const given = { granted: true, at, withdrawnAt: at }
  expect(laneGranted({ ...consent, lanes: { screen: given } }, 'screen')).toBe(false)
})
