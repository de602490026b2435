import { describe, expect, it } from 'vitest'
import { eventTypeFilter, eventTypes, eventTypesFilter } from './events.catalog.ts'

describe('filters by event type', () => {
  it('take each type of the catalog, alone and all at once', () => {
    for (const type of eventTypes) {
      expect(eventTypeFilter.safeParse(type).success, type).toBe(true)
      expect(eventTypesFilter.safeParse(type).success, type).toBe(true)
    }
    expect(eventTypesFilter.safeParse(eventTypes.join(',')).success).toBe(true)
  })

  it('refuse a type that the catalog does not have', () => {
    for (const text of ['session.end', 'session.exploded', 'session', '*', '']) {
      expect(eventTypeFilter.safeParse(text).success, text).toBe(false)
      expect(eventTypesFilter.safeParse(text).success, text).toBe(false)
      expect(eventTypesFilter.safeParse(`session.ended,${text}`).success, text).toBe(false)
    }
  })
})
