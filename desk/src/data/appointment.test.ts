import { describe, expect, it } from 'vitest'
import { concernsOf, instantOf } from './appointment.ts'

describe('the instant of an appointment', () => {
  it.each([
    ['Europe/Berlin', '2026-11-27', '14:30', '2026-11-27T13:30:00.000Z'],
    ['Europe/Berlin', '2026-07-01', '14:30', '2026-07-01T12:30:00.000Z'],
    ['Asia/Kolkata', '2026-11-27', '09:00', '2026-11-27T03:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-27', '01:00', '2026-11-26T11:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-26', '23:15', '2026-11-27T07:15:00.000Z'],
    ['UTC', '2028-02-29', '00:00', '2028-02-29T00:00:00.000Z'],
  ])('is when the clocks of %s show %s %s', (zone, date, time, at) => {
    expect(instantOf(zone, { date, time })).toBe(at)
  })

  it('is the first of two as clocks are put back, and none where they leap over it', () => {
    expect(instantOf('Europe/Berlin', { date: '2026-10-25', time: '02:30' })).toBe('2026-10-25T00:30:00.000Z')
    expect(instantOf('Europe/Berlin', { date: '2026-03-29', time: '02:30' })).toBeUndefined()
    expect(instantOf('Europe/Berlin', { date: '2026-03-29', time: '03:00' })).toBe('2026-03-29T01:00:00.000Z')
  })

  it.each([
    ['', ''],
    ['2026-02-30', '10:00'],
    ['tomorrow', '10:00'],
  ])('is none where nothing of the kind is given: %o %o', (date, time) => {
    expect(instantOf('UTC', { date, time })).toBeUndefined()
  })
})

describe('what is looked at again', () => {
  const now = Date.parse('2026-11-27T12:00:00.000Z')
  it.each([
    ['UTC', '2026-11-27T11:59:00.000Z', ['past']],
    ['UTC', '2026-11-27T12:01:00.000Z', []],
    ['Asia/Tokyo', '2026-11-27T13:00:00.000Z', ['night']],
    ['UTC', '2026-11-28T06:59:00.000Z', ['night']],
    ['UTC', '2026-11-28T07:00:00.000Z', []],
    ['UTC', '2026-11-26T21:00:00.000Z', ['past', 'night']],
  ])('in %s at %s is %o', (zone, at, concerns) => {
    expect(concernsOf(zone, at, now)).toEqual(concerns)
  })
})
