import { describe, expect, it } from 'vitest'
import { type CalendarEvent, calendarText } from './icalendar.ts'

const event: CalendarEvent = {
  uid: 'ses_1@interviews.example.org',
  sequence: 3,
  stampedAt: Date.parse('2026-09-04T10:00:00.500Z'),
  changedAt: Date.parse('2026-09-03T08:30:00Z'),
  startsAt: Date.parse('2026-09-05T09:00:00+02:00'),
  durationMinutes: 90,
  summary: 'Interview with Example',
  description: 'one\ntwo',
  organizer: { name: 'Example', address: 'service@interviews.example.org' },
  cancelled: false,
}

/** Lines as a reader sees them: unfolded, RFC 5545 section 3.1. */
const unfold = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
const textOf = (text: string, name: string): string | undefined =>
  unfold(text)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
/** What a reader makes of a value of type TEXT. */
const unescaped = (value: string | undefined): string | undefined =>
  value?.replaceAll(/\\([\\;,nN])/g, (_all, character: string) => (character.toLowerCase() === 'n' ? '\n' : character))

describe('an iCalendar file', () => {
  it('holds one event with its times in UTC, and every property that a published event needs', () => {
    expect(unfold(calendarText(event))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Interview Integrity//Server//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'BEGIN:VEVENT',
      'UID:ses_1@interviews.example.org',
      'SEQUENCE:3',
      'DTSTAMP:20260904T100000Z',
      'LAST-MODIFIED:20260903T083000Z',
      'DTSTART:20260905T070000Z',
      'DURATION:PT90M',
      'SUMMARY:Interview with Example',
      'DESCRIPTION:one\\ntwo',
      'ORGANIZER;CN="Example":mailto:service@interviews.example.org',
      'STATUS:CONFIRMED',
      'TRANSP:OPAQUE',
      'END:VEVENT',
      'END:VCALENDAR',
    ])
  })

  it('names who sends it for somebody else, so that answers go to that person', () => {
    const organizerOf = (sentBy: string | undefined) => {
      const organizer = { name: 'Meera; "M" Nair', address: 'meera@example.org', sentBy }
      return unfold(calendarText({ ...event, organizer })).filter((line) => line.startsWith('ORGANIZER'))
    }
    const name = `ORGANIZER;CN="Meera; 'M' Nair"`
    expect(organizerOf('service@interviews.example.org')).toEqual([
      `${name};SENT-BY="mailto:service@interviews.example.org":mailto:meera@example.org`,
    ])
    for (const sentBy of [undefined, 'meera@example.org'])
      expect(organizerOf(sentBy)).toEqual([`${name}:mailto:meera@example.org`])
  })

  it('of an appointment that was cancelled takes it out of calendars', () => {
    const lines = unfold(calendarText({ ...event, cancelled: true }))
    expect(lines).toContain('METHOD:CANCEL')
    expect(lines).toContain('STATUS:CANCELLED')
    expect(lines).toContain('UID:ses_1@interviews.example.org')
  })

  it('ends every line in CRLF and has no other line break', () => {
    const text = calendarText({ ...event, description: 'a\rb\r\nc\nd' })
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(unescaped(textOf(text, 'DESCRIPTION'))).toBe('a\nb\nc\nd')
  })

  it('folds at 75 octets without cutting a character in two, and unfolds to what it was', () => {
    const samples = ['ä'.repeat(200), 'साक्षात्कार '.repeat(30).trim(), '😀'.repeat(100), 'x'.repeat(500)]
    for (const sample of samples)
      for (let shift = 0; shift < 5; shift++) {
        const summary = 'x'.repeat(shift) + sample
        const text = calendarText({ ...event, summary })
        for (const line of text.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
          expect(line.isWellFormed()).toBe(true)
        }
        expect(textOf(text, 'SUMMARY')).toBe(summary)
      }
  })

  it('keeps a line of exactly 75 octets whole', () => {
    const summary = 'x'.repeat(75 - 'SUMMARY:'.length)
    expect(calendarText({ ...event, summary })).toContain(`\r\nSUMMARY:${summary}\r\n`)
    expect(calendarText({ ...event, summary: `${summary}y` })).toContain(`\r\nSUMMARY:${summary}\r\n y\r\n`)
  })

  it('gives back backslashes, semicolons and commas as they were', () => {
    const summary = 'a\\b;c,d\\n"e"'
    expect(unescaped(textOf(calendarText({ ...event, summary }), 'SUMMARY'))).toBe(summary)
  })

  it('lets no text begin a property of its own', () => {
    const hostile = 'x\r\nEND:VEVENT\r\nATTACH:file:///etc/passwd\u0000\u0085\u001b'
    const text = calendarText({
      ...event,
      uid: hostile,
      summary: hostile,
      description: hostile,
      url: `https://example.org/#${hostile}`,
      organizer: { name: `"${hostile}":mailto:x`, address: hostile },
    })
    const names = unfold(text).map((line) => /^[A-Z-]+/.exec(line)?.[0])
    const plain = unfold(calendarText({ ...event, url: 'https://example.org/' })).map(
      (line) => /^[A-Z-]+/.exec(line)?.[0],
    )
    expect(names).toEqual(plain)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}]/u)
    expect(unfold(text).find((line) => line.startsWith('ORGANIZER'))).toMatch(/^ORGANIZER;CN="[^"]*":mailto:\S+$/)
  })
})
