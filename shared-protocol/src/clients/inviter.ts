/** Who invited, as answers of the service say it. Older services say nothing. */
export interface Inviter {
  readonly name: string | null
  readonly replyTo: string
}

/** Whom to ask, in one line: by name with the address, else by the address. */
export const inviterLine = ({ name, replyTo }: Inviter): string => (name === null ? replyTo : `${name} (${replyTo})`)

/** Day and time of an appointment in words of the language (BCP 47), with its zone: the reader's own, unless one is named. */
export const appointmentLine = (
  { startsAt }: { readonly startsAt: string },
  locale: string,
  timeZone?: string,
): string =>
  new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  } as Intl.DateTimeFormatOptions).format(new Date(startsAt))
