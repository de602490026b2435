import { type EvidenceType, ServiceError, sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { buildSession, consentTo, startedAt } from './build-session.test-support.ts'
import {
  admitCapture,
  admitDelivery,
  admitInstant,
  admitLane,
  admitType,
  clockToleranceMs,
  credentialEndsAt,
  lateDeliveryMs,
  readBeginning,
  readInstant,
} from './sessions.policy.ts'

const codeOf = (work: () => void): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
  return 'admitted'
}

describe('when an interview is to begin', () => {
  it('may be five minutes ago, and not a millisecond more', () => {
    const now = Date.parse('2026-09-04T10:00:00.000Z')
    const read = (at: number) => () => readBeginning(new Date(at).toISOString(), 'startsAt', now)
    expect(read(now - 300_000)()).toBe(now - 300_000)
    expect(codeOf(read(now - 300_001))).toBe('invalid_request')
  })
})

describe('a delivery', () => {
  it('is forbidden before consent, and a conflict after erasure', () => {
    expect(codeOf(() => admitDelivery(buildSession(), startedAt))).toBe('admitted')
    expect(codeOf(() => admitDelivery(buildSession({ consent: null }), startedAt))).toBe('forbidden')
    expect(codeOf(() => admitDelivery(buildSession({ erasedAt: startedAt }), startedAt))).toBe('conflict')
  })

  it('may follow for 24 hours after the end, to the millisecond', () => {
    const ended = buildSession({ state: 'ended', endedAt: startedAt })
    expect(codeOf(() => admitDelivery(ended, startedAt + lateDeliveryMs - 1))).toBe('admitted')
    expect(codeOf(() => admitDelivery(ended, startedAt + lateDeliveryMs))).toBe('conflict')
  })
})

describe('the times that everybody was told', () => {
  const day = 86_400_000

  it('are 5 minutes for a clock that is off, and a day for what comes late', () => {
    expect(clockToleranceMs).toBe(300_000)
    expect(lateDeliveryMs).toBe(day)
  })

  it('are 30 days for a credential, or a day after the end; a room ends with its session', () => {
    expect(credentialEndsAt('agent', { createdAt: 5, endedAt: null })).toBe(30 * day + 5)
    expect(credentialEndsAt('companion', { createdAt: 0, endedAt: 40 * day })).toBe(30 * day)
    expect(credentialEndsAt('agent', { createdAt: 0, endedAt: 7 })).toBe(day + 7)
    expect(credentialEndsAt('room', { createdAt: 0, endedAt: 7 })).toBe(7)
  })
})

describe('a lane', () => {
  it('needs a consent that was given and not withdrawn', () => {
    expect(codeOf(() => admitLane(buildSession(), 'screen', startedAt))).toBe('admitted')
    expect(codeOf(() => admitLane(buildSession({ consent: consentTo('camera') }), 'screen', startedAt))).toBe(
      'forbidden',
    )
    const consent = consentTo('screen')
    const withdrawn = {
      ...consent,
      lanes: { screen: { ...consent.lanes.screen!, withdrawnAt: '2026-09-04T10:01:00.000Z' } },
    }
    expect(codeOf(() => admitLane(buildSession({ consent: withdrawn }), 'screen', startedAt))).toBe('forbidden')
    // Not as if it had never been given.
    expect(() => admitLane(buildSession({ consent: withdrawn }), 'screen', startedAt)).toThrow('withdrew consent')
  })

  it('that is off was never admitted, or only for what was captured before it was switched off', () => {
    const config = sessionConfig.parse({ capture: { enabled: false } })
    expect(codeOf(() => admitLane(buildSession({ config }), 'screen', startedAt))).toBe('forbidden')
    const later = buildSession({ config, lanesOff: { screen: startedAt + 1000 } })
    expect(codeOf(() => admitLane(later, 'screen', startedAt + 999))).toBe('admitted')
    expect(codeOf(() => admitLane(later, 'screen', startedAt + 1000))).toBe('forbidden')
    expect(codeOf(() => admitLane(later, 'camera', startedAt + 1000))).toBe('admitted')
  })
})

describe('an instant', () => {
  it('lies within the session, but for what a clock may be off', () => {
    const now = startedAt + 3_600_000
    const session = buildSession()
    expect(codeOf(() => admitInstant(session, startedAt - clockToleranceMs, now))).toBe('admitted')
    expect(codeOf(() => admitInstant(session, startedAt - clockToleranceMs - 1, now))).toBe('invalid_request')
    expect(codeOf(() => admitInstant(session, now + clockToleranceMs, now))).toBe('admitted')
    expect(codeOf(() => admitInstant(session, now + clockToleranceMs + 1, now))).toBe('invalid_request')
  })

  it('may be the end itself and nothing after it', () => {
    const ended = buildSession({ state: 'ended', endedAt: startedAt + 1000 })
    expect(codeOf(() => admitInstant(ended, startedAt + 1000, startedAt + 5000))).toBe('admitted')
    expect(codeOf(() => admitInstant(ended, startedAt + 1001, startedAt + 5000))).toBe('invalid_request')
  })

  it('that is kept as said lies between 1970 and 9999', () => {
    expect(readInstant('1970-01-01T00:00:00Z', 'at')).toBe(0)
    expect(new Date(readInstant('9999-12-31T23:59:59.999Z', 'at')).toISOString()).toBe('9999-12-31T23:59:59.999Z')
    for (const text of ['1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+01:00', 'never'])
      expect(
        codeOf(() => readInstant(text, 'at')),
        text,
      ).toBe('invalid_request')
  })
})

it('a capture passes all the gates, the end before consent before policy before time', () => {
  expect(codeOf(() => admitCapture(buildSession(), 'screen', 'screen_clip', 0, startedAt))).toBe('forbidden')
  expect(codeOf(() => admitCapture(buildSession(), 'screen', 'screenshot', startedAt, startedAt))).toBe('admitted')
  expect(
    codeOf(() => admitCapture(buildSession({ consent: consentTo('camera') }), 'screen', 'screenshot', 0, startedAt)),
  ).toBe('forbidden')
  expect(
    codeOf(() => admitCapture(buildSession({ erasedAt: 1, consent: null }), 'screen', 'screenshot', 0, startedAt)),
  ).toBe('conflict')
  expect(codeOf(() => admitCapture(buildSession(), 'screen', 'screenshot', 0, startedAt))).toBe('invalid_request')
})

it('a type that the policy does not ask for is forbidden, but what was captured before it was switched off is taken', () => {
  const plain = buildSession()
  for (const type of ['screen_clip', 'camera_clip', 'side_view_clip'] as const)
    expect(
      codeOf(() => admitType(plain, type, startedAt)),
      type,
    ).toBe('forbidden')
  for (const type of ['screenshot', 'camera_frame', 'audio_chunk', 'placement_photo'] as const)
    expect(
      codeOf(() => admitType(plain, type, startedAt)),
      type,
    ).toBe('admitted')
  const stopped = buildSession({ lanesOff: { screen_clip: startedAt + 1000 } })
  expect(codeOf(() => admitType(stopped, 'screen_clip', startedAt + 999))).toBe('admitted')
  expect(codeOf(() => admitType(stopped, 'screen_clip', startedAt + 1000))).toBe('forbidden')
  const noStills = buildSession({ config: sessionConfig.parse({ camera: { stills: false, clips: true } }) })
  expect(codeOf(() => admitType(noStills, 'camera_frame', startedAt))).toBe('forbidden')
  expect(codeOf(() => admitType(noStills, 'camera_clip', startedAt))).toBe('admitted')
})

it('a type that the candidate was not told of is forbidden, although the policy asks for it now', () => {
  const config = sessionConfig.parse({ capture: { recording: true } })
  const told = (evidenceTypes: EvidenceType[]) =>
    buildSession({ config, consent: { ...consentTo('screen'), evidenceTypes } })
  expect(codeOf(() => admitType(told(['screenshot']), 'screen_clip', startedAt))).toBe('forbidden')
  expect(codeOf(() => admitType(told(['screenshot', 'screen_clip']), 'screen_clip', startedAt))).toBe('admitted')
})
