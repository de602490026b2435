/** One appointment. Times are epoch milliseconds. */
export interface CalendarEvent {
  /** The same forever, and globally unique. */
  readonly uid: string
  /** Grows with every change. */
  readonly sequence: number
  /** When this file was made. */
  readonly stampedAt: number
  readonly changedAt: number
  readonly startsAt: number
  readonly durationMinutes: number
  readonly summary: string
  /** Plain text; lines end in `\n`. */
  readonly description: string
  readonly url?: string | undefined
  /** Answers go to `address`; `sentBy` is who sends the file for them, where that is somebody else. */
  readonly organizer: { readonly name: string; readonly address: string; readonly sentBy?: string | undefined }
  /** Who is asked to come, where the file goes to them; nobody is to answer by their calendar. */
  readonly attendee?: { readonly name: string; readonly address: string } | undefined
  readonly cancelled: boolean
}

/** RFC 5545, section 3.1: a content line has at most so many octets without its line break. */
const lineOctets = 75

/** Splits by characters, never within one, each further line beginning with a blank. */
const fold = (line: string): string => {
  const lines: string[] = []
  let current = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > lineOctets) {
      lines.push(current)
      current = ' '
      octets = 1
    }
    current += character
    octets += size
  }
  return [...lines, current].join('\r\n')
}

/** Nothing that a calendar shows needs a control character, and a line break would begin another property. */
const withoutControls = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '')

/** A value of type TEXT (section 3.3.11). */
const escapeText = (text: string): string =>
  withoutControls(text.replaceAll(/\r\n?/g, '\n'))
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** A quoted parameter (section 3.2), which may hold neither quotes nor line breaks. */
const quote = (text: string): string =>
  `"${withoutControls(text)
    .replaceAll('"', "'")
    .replaceAll(/[\n\t]/g, ' ')}"`

/** A value that is an address: no blank and nothing that could end its line. */
const uri = (text: string): string => text.replaceAll(/[\s\p{Cc}]/gu, (found) => encodeURIComponent(found))

/** RFC 6068, section 2: what has a meaning in a URI is percent-encoded. */
const mailto = (address: string): string => `mailto:${uri(address.replaceAll(/[%#?/]/g, encodeURIComponent))}`

/** UTC, to the second (section 3.3.5, form 2). */
const utc = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** How a calendar shall take the file: RFC 5546, sections 3.2.1, 3.2.2 and 3.2.5. Also in the content type. */
export const calendarMethod = ({
  cancelled,
  attendee,
}: Pick<CalendarEvent, 'cancelled' | 'attendee'>): 'PUBLISH' | 'REQUEST' | 'CANCEL' => {
  if (cancelled) return 'CANCEL'
  return attendee ? 'REQUEST' : 'PUBLISH'
}

/**
 * RFC 5545, sections 3.2.18 and 3.8.4.3. A program that sends for a person names itself in SENT-BY, so that answers go to the
 * person and the sender's address is still one that the calendar expects (RFC 6047, section 2.3).
 */
const organizerLine = ({ name, address, sentBy }: CalendarEvent['organizer']): string => {
  const sender = sentBy === undefined || sentBy === address ? '' : `;SENT-BY=${quote(mailto(sentBy))}`
  return `ORGANIZER;CN=${quote(name)}${sender}:${mailto(address)}`
}

const attendeeLine = ({ attendee }: CalendarEvent): string[] =>
  attendee === undefined
    ? []
    : [
        `ATTENDEE;CN=${quote(attendee.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE:${mailto(attendee.address)}`,
      ]

/** An iCalendar file (RFC 5545) with this one event, in UTF-8, its lines folded and ended by CRLF. */
export const calendarText = (event: CalendarEvent): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Interview Integrity//Server//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${calendarMethod(event)}`,
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${utc(event.stampedAt)}`,
    `LAST-MODIFIED:${utc(event.changedAt)}`,
    `DTSTART:${utc(event.startsAt)}`,
    `DURATION:PT${event.durationMinutes}M`,
    `SUMMARY:${escapeText(event.summary)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    ...(event.url === undefined ? [] : [`URL:${uri(event.url)}`]),
    organizerLine(event.organizer),
    ...attendeeLine(event),
    `STATUS:${event.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join('')
