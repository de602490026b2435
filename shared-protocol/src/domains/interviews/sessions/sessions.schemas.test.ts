import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import {
  agentEndBody,
  capability,
  endBody,
  maxCapabilityWhy,
  permissionState,
  registerBody,
  scheduleInput,
  sessionCreate,
  sessionListFilters,
  sessionState,
} from './sessions.schemas.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const at = '2026-03-02T10:00:00.000Z'
const consent = { version: '1', locale: 'en', documentHash: 'a'.repeat(64), acceptedAt: at, lanes: { screen: true } }

describe('the state of a session', () => {
  it('is scheduled, live or ended', () => {
    expect(sessionState.options).toEqual(['scheduled', 'live', 'ended'])
  })
})

describe('a new session', () => {
  it('needs nothing, and takes a label, a policy and an appointment', () => {
    expect(sessionCreate.parse({})).toEqual({})
    const schedule = { startsAt: at, durationMinutes: 45, timeZone: 'Europe/Berlin' }
    expect(takes(sessionCreate, { externalId: 'req-7', candidateLabel: 'A. B.', schedule })).toBe(true)
  })

  it('has labels that are not empty, and loses the blanks around them', () => {
    expect(sessionCreate.parse({ candidateLabel: '  A. B. ' })).toEqual({ candidateLabel: 'A. B.' })
    expect(takes(sessionCreate, { candidateLabel: '   ' })).toBe(false)
    expect(takes(sessionCreate, { externalId: 'x'.repeat(201) })).toBe(false)
  })
})

describe('an appointment', () => {
  const appointment = { startsAt: at, durationMinutes: 60, timeZone: 'Asia/Kolkata' }

  it('is in a time zone that exists', () => {
    expect(takes(scheduleInput, appointment)).toBe(true)
    for (const timeZone of ['', 'Mars/Olympus', 'x'.repeat(65), 7])
      expect(takes(scheduleInput, { ...appointment, timeZone }), String(timeZone)).toBe(false)
  })

  it('lasts from five minutes to a day', () => {
    for (const durationMinutes of [5, 1440])
      expect(takes(scheduleInput, { ...appointment, durationMinutes })).toBe(true)
    for (const durationMinutes of [4, 1441, 30.5, '60'])
      expect(takes(scheduleInput, { ...appointment, durationMinutes })).toBe(false)
  })
})

describe('a registration', () => {
  it('answers lane by lane, with the hash of what was shown', () => {
    expect(takes(registerBody, { consent })).toBe(true)
    expect(takes(registerBody, {})).toBe(false)
    expect(takes(registerBody, { consent: { ...consent, lanes: { keyboard: true } } })).toBe(false)
    expect(takes(registerBody, { consent: { ...consent, lanes: { screen: 'yes' } } })).toBe(false)
    expect(takes(registerBody, { consent: { ...consent, documentHash: 'A'.repeat(64) } })).toBe(false)
    expect(takes(registerBody, { consent: { ...consent, acceptedAt: 'yesterday' } })).toBe(false)
  })

  it('names in a running session the lanes whose earlier answer stands', () => {
    expect(takes(registerBody, { consent: { ...consent, standing: ['camera'] } })).toBe(true)
    expect(takes(registerBody, { consent: { ...consent, standing: ['keyboard'] } })).toBe(false)
  })

  it('says what the system permits and what the machine can observe', () => {
    const permissions = { screen: 'granted', camera: 'denied', something_newer: 'unknown' }
    expect(takes(registerBody, { consent, permissions })).toBe(true)
    expect(takes(registerBody, { consent, permissions: { screen: 'maybe' } })).toBe(false)
    const capabilities = [{ observer: 'idle', status: 'observable' }]
    expect(takes(registerBody, { consent, capabilities })).toBe(true)
    expect(takes(registerBody, { consent, capabilities: Array.from({ length: 101 }, () => capabilities[0]) })).toBe(
      false,
    )
  })

  it('is understood when a newer agent says more', () => {
    expect(registerBody.parse({ consent, mood: 'good' })).toEqual({ consent })
  })
})

describe('a capability', () => {
  it('says in words why something cannot be observed', () => {
    const silent = { observer: 'screen_lock', status: 'not_observable' }
    expect(takes(capability, { ...silent, why: 'x'.repeat(maxCapabilityWhy) })).toBe(true)
    expect(takes(capability, { ...silent, why: 'x'.repeat(maxCapabilityWhy + 1) })).toBe(false)
    expect(takes(capability, { observer: 'screen_lock', status: 'clean' })).toBe(false)
  })
})

describe('a permission', () => {
  it('is granted, denied, or not known', () => {
    expect(permissionState.options).toEqual(['granted', 'denied', 'unknown'])
  })
})

describe('the end of a session', () => {
  it('may have a reason, which is short', () => {
    for (const body of [endBody, agentEndBody]) {
      expect(takes(body, {})).toBe(true)
      expect(takes(body, { reason: 'completed' })).toBe(true)
      expect(takes(body, { reason: ' ' })).toBe(false)
      expect(takes(body, { reason: 'x'.repeat(101) })).toBe(false)
    }
    expect(takes(agentEndBody, { endedAt: at })).toBe(true)
    expect(takes(agentEndBody, { endedAt: 1_772_445_600_000 })).toBe(false)
  })
})

describe('the filters of the list', () => {
  it('are closed where their values are', () => {
    expect(takes(sessionListFilters.state, 'live')).toBe(true)
    expect(takes(sessionListFilters.state, 'recording')).toBe(false)
    expect(takes(sessionListFilters.sandbox, 'true')).toBe(true)
    expect(takes(sessionListFilters.sandbox, '1')).toBe(false)
  })
})
