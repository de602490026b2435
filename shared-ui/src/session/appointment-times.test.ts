import { describe, expect, it } from 'vitest'
import { appointmentTimes } from './appointment-times.ts'

const berlin = { startsAt: '2026-11-24T09:00:00.000Z', durationMinutes: 60, timeZone: 'Europe/Berlin' }
const plain = (text = '') => text.replaceAll(/[\u2009\u202f\u00a0]/g, ' ')

describe('the times of an appointment', () => {
  it("are the reader's own first, with the appointment's where its clocks show something else", () => {
    const { own, theirs } = appointmentTimes(berlin, 'en-GB', 'Asia/Kolkata')
    expect(plain(own.when)).toBe('Tuesday, 24 November 2026, 14:30–15:30')
    expect(own.zone).toBe('India Standard Time')
    expect(plain(theirs?.when)).toBe('Tuesday, 24 November 2026, 10:00–11:00')
    expect(theirs?.zone).toBe('Central European Standard Time')
  })

  it('are said once where the clocks show the same then, whatever the zones are called', () => {
    expect(appointmentTimes(berlin, 'en-GB', 'Europe/Paris').theirs).toBeUndefined()
    // Lagos is an hour behind Berlin in summer only.
    expect(appointmentTimes(berlin, 'en-GB', 'Africa/Lagos').theirs).toBeUndefined()
    const summer = { ...berlin, startsAt: '2026-07-24T09:00:00.000Z' }
    expect(appointmentTimes(summer, 'en-GB', 'Africa/Lagos').theirs).toBeDefined()
  })

  it('name both days of an appointment that goes past midnight, and of one across the date line', () => {
    const { own, theirs } = appointmentTimes({ ...berlin, durationMinutes: 900 }, 'en-GB', 'Pacific/Honolulu')
    expect(plain(own.when)).toContain('Monday, 23 November 2026')
    expect(plain(own.when)).toContain('Tuesday, 24 November 2026')
    expect(plain(theirs?.when)).toContain('Wednesday, 25 November 2026')
  })

  it('are in the language of the page', () => {
    const { own } = appointmentTimes(berlin, 'hi', 'Asia/Kolkata')
    expect(own.when).toContain('नवंबर')
    expect(own.zone).toBe('भारतीय मानक समय')
  })

  it("leave out a zone that this browser does not know, and are still the reader's", () => {
    const { own, theirs } = appointmentTimes({ ...berlin, timeZone: 'Mars/Olympus' }, 'en-GB', 'Asia/Kolkata')
    expect([plain(own.when), theirs]).toEqual(['Tuesday, 24 November 2026, 14:30–15:30', undefined])
  })
})
