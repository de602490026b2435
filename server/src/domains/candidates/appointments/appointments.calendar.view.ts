import { ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { Content } from '../../../kernel/content.ts'
import { type CalendarEvent, calendarMethod, calendarText } from '../../../platform/icalendar.ts'
import type { CalendarPart } from '../../../platform/mail/mail.ts'
import type { Appointment } from './appointments.service.ts'

/** What the file says beside the time. */
export interface CalendarWords {
  readonly summary: string
  readonly description: string
  readonly url?: string
}

const addressOf = (mailFrom: string): string => /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom

interface Of {
  readonly sessionId: string
  readonly orgName: string
  readonly appointment: Appointment
  /** The person who invited; without one the organisation, at the service's address. */
  readonly organizer: { readonly name: string; readonly address: string } | undefined
}

/** The appointment for a calendar, cancelled where it is. Throws `conflict` where there never was one. */
const eventOf = (
  call: Needs<'clock' | 'config'>,
  { sessionId, orgName, appointment, organizer }: Of,
  words: CalendarWords,
): CalendarEvent => {
  const schedule = appointment.schedule ?? appointment.cancelled
  if (schedule === null) throw new ServiceError('conflict', 'no appointment has been set for this session yet')
  const service = addressOf(call.config.mailFrom)
  return {
    ...words,
    uid: `${sessionId}@${new URL(call.config.baseUrl).hostname}`,
    sequence: appointment.sequence,
    stampedAt: call.clock.now(),
    changedAt: appointment.changedAt,
    startsAt: Date.parse(schedule.startsAt),
    durationMinutes: schedule.durationMinutes,
    organizer: organizer ? { ...organizer, sentBy: service } : { name: orgName, address: service },
    cancelled: appointment.schedule === null,
  }
}

/** The iCalendar file, of which a calendar program asks to be told. */
export const calendarFile = (call: Needs<'clock' | 'config'>, of: Of, words: CalendarWords): Content => {
  const event = eventOf(call, of, words)
  return {
    body: Buffer.from(calendarText(event)),
    contentType: `text/calendar; charset=utf-8; method=${calendarMethod(event)}`,
    fileName: `interview-${of.sessionId}.ics`,
  }
}

/** The same as a part of a message to whom it is for; undefined where there never was an appointment. */
export const calendarPart = (
  call: Needs<'clock' | 'config'>,
  of: Of,
  words: CalendarWords,
  attendee: NonNullable<CalendarEvent['attendee']>,
): CalendarPart | undefined => {
  if (of.appointment.schedule === null && of.appointment.cancelled === null) return undefined
  const event = { ...eventOf(call, of, words), attendee }
  return { method: event.cancelled ? 'CANCEL' : 'REQUEST', text: calendarText(event) }
}
