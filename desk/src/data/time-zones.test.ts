import { describe, expect, it } from 'vitest'
import { timeZones } from './time-zones.ts'

describe('time zones to choose from', () => {
  it('have the names of now, once each, in order, with UTC and the one in use', () => {
    expect(timeZones(['Europe/Berlin', 'Asia/Calcutta', 'Asia/Kolkata', 'America/Godthab'], 'Asia/Calcutta')).toEqual([
      'America/Nuuk',
      'Asia/Kolkata',
      'Europe/Berlin',
      'UTC',
    ])
  })

  it('are zones that this engine knows', () => {
    for (const timeZone of timeZones(Intl.supportedValuesOf('timeZone'), 'UTC'))
      expect(() => new Intl.DateTimeFormat('en', { timeZone }), timeZone).not.toThrow()
  })
})
