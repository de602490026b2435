import { createHash } from 'node:crypto'
import {
  agentLanes,
  consentLocales,
  consentTexts,
  type LaneName,
  laneNames,
  ServiceError,
  sessionConfig,
} from '@integrity/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../../../platform/canonical-json.ts'
import { consentTo } from '../build-session.test-support.ts'
import { consentDocument, documentAnswered, laneGranted } from './consent.model.ts'

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
    for (const locale of consentLocales)
      for (const { text, title } of consentDocument(everything, laneNames, locale).lanes) {
        expect(text).not.toMatch(/[{}]/)
        expect(title).not.toBe('')
      }
    expect(textOf({ capture: { screenshotIntervalSeconds: 7 } }, 'screen')).toContain('one every 7 seconds')
    expect(textOf({ camera: { stillIntervalSeconds: 33 } }, 'camera')).toContain('one every 33 seconds')
    expect(textOf({ camera: { stillIntervalSeconds: 1 } }, 'camera')).toContain('one every second.')
  })

  it('says what goes beyond the usual: window titles and film', () => {
    expect(textOf({}, 'signals')).toContain('Never window titles')
    expect(textOf({ windowTitles: true }, 'signals')).not.toContain('Never window titles')
    expect(textOf({ windowTitles: true }, 'signals')).toContain('titles of windows')
    expect(textOf({}, 'screen')).not.toContain('film')
    expect(textOf({ capture: { recording: true } }, 'screen')).toContain('film')
    expect(textOf({ camera: { clips: true } }, 'camera')).toMatch(/Pictures.*Short clips/)
    expect(textOf({ camera: { clips: true, stills: false } }, 'camera')).toBe('Short clips from your camera.')
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
            expect(entry.title).toBe(consentTexts.en.lanes[entry.lane].title)
            expect(entry.required).toBe(!optionalLanes.includes(entry.lane))
          }
        },
      ),
      { seed: 11 },
    )
  })
})

describe('the consent document in another language', () => {
  it('asks for the same in other words, under another hash', () => {
    const [en, hi] = [consentDocument(everything), consentDocument(everything, agentLanes, 'hi')]
    expect(hi.locale).toBe('hi')
    expect(hi.hash).not.toBe(en.hash)
    const asked = ({ lanes, retentionDays, version }: typeof en) => ({
      retentionDays,
      version,
      lanes: lanes.map(({ lane, required }) => ({ lane, required })),
    })
    expect(asked(hi)).toEqual(asked(en))
    for (const [n, { title, text }] of hi.lanes.entries()) {
      expect(title).not.toBe(en.lanes[n]?.title)
      expect(text).not.toBe(en.lanes[n]?.text)
    }
  })

  it('tells intervals, titles and film as the English one does', () => {
    const words = (config: object, lane: LaneName) =>
      consentDocument(sessionConfig.parse(config), [lane], 'hi').lanes[0]?.text
    expect(words({ capture: { screenshotIntervalSeconds: 7 } }, 'screen')).toContain('हर 7 सेकंड में')
    expect(words({ windowTitles: true }, 'signals')).toContain(consentTexts.hi.signalsWithTitles)
    expect(words({}, 'signals')).toContain(consentTexts.hi.signalsNever)
    expect(words({ capture: { recording: true } }, 'screen')).toContain(consentTexts.hi.screenFilm)
  })

  it('is found by its hash, whatever language the answer says it is in', () => {
    for (const locale of consentLocales) {
      const document = consentDocument(everything, agentLanes, locale)
      const answered = documentAnswered(everything, agentLanes, { documentHash: document.hash, locale: 'en' }, 'hash')
      expect(answered).toEqual(document)
    }
  })

  it('is handed out in the language of an answer to any other document', () => {
    const refused = (documentHash: string, locale: string) => {
      try {
        documentAnswered(everything, agentLanes, { documentHash, locale }, 'consent.documentHash')
      } catch (error) {
        if (error instanceof ServiceError) return error
      }
      return expect.fail('it was accepted')
    }
    const before = consentDocument(sessionConfig.parse({ retentionDays: 7 }), agentLanes, 'hi')
    expect(refused(before.hash, 'hi-IN')).toMatchObject({
      code: 'conflict',
      extra: { consentDocument: consentDocument(everything, agentLanes, 'hi') },
    })
    expect(refused('0'.repeat(64), 'de').extra).toEqual({ consentDocument: consentDocument(everything) })
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
