import { ServiceError } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import type { Content } from '../../kernel/content.ts'
import { type CalendarEvent, calendarMethod, calendarText } from '../../platform/icalendar.ts'
import type { Appointment } from './appointments.service.ts'

/** What the file says beside the time. */
export interface CalendarWords {
  readonly summary: string
  readonly description: string
  readonly url?: string
}

const addressOf = (mailFrom: string): string => /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom

/** The appointment for a calendar, cancelled where it is. Throws `conflict` where there never was one. */
const eventOf = (
  call: Needs<'clock' | 'config'>,
  { sessionId, orgName, appointment }: { sessionId: string; orgName: string; appointment: Appointment },
  words: CalendarWords,
): CalendarEvent => {
  const schedule = appointment.schedule ?? appointment.cancelled
  if (schedule === null) throw new ServiceError('conflict', 'no appointment has been set for this session yet')
  return {
    ...words,
    uid: `${sessionId}@${new URL(call.config.baseUrl).hostname}`,
    sequence: appointment.sequence,
    stampedAt: call.clock.now(),
    changedAt: appointment.changedAt,
    startsAt: Date.parse(schedule.startsAt),
    durationMinutes: schedule.durationMinutes,
    organizer: { name: orgName, address: addressOf(call.config.mailFrom) },
    cancelled: appointment.schedule === null,
  }
}

/** The iCalendar file, of which a calendar program asks to be told. */
export const calendarFile = (
  call: Needs<'clock' | 'config'>,
  of: { sessionId: string; orgName: string; appointment: Appointment },
  words: CalendarWords,
): Content => {
  const event = eventOf(call, of, words)
  return {
    body: Buffer.from(calendarText(event)),
    contentType: `text/calendar; charset=utf-8; method=${calendarMethod(event)}`,
    fileName: `interview-${of.sessionId}.ics`,
  }
}
