import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import { GiveUp } from '../give-up.ts'
import { inTime } from '../in-time.ts'
import { writeMessage } from './mail.outbox.ts'
import { inOneLine } from './plain-text.ts'

/** A picture that comes with a message; its HTML names it as `cid:…`. */
export interface InlinePicture {
  readonly cid: string
  readonly png: Buffer
}

/** An appointment that programs for mail put into the calendar, or take out of it (RFC 6047). */
export interface CalendarPart {
  readonly method: 'REQUEST' | 'CANCEL'
  /** An iCalendar file of that method. */
  readonly text: string
}

export interface Message {
  /** The sender's own id of it: sending again under the same id is the same message, with the same Message-ID. */
  readonly id: string
  readonly to: readonly string[]
  /** One address that an answer goes to, instead of the service's own. */
  readonly replyTo?: string | undefined
  readonly subject: string
  /** Plain text; lines end in `\n`. */
  readonly text: string
  /** The same as HTML, for readers that prefer it. */
  readonly html?: string | undefined
  readonly pictures?: readonly InlinePicture[] | undefined
  readonly calendar?: CalendarPart | undefined
  /** In whose name it is sent, by the service's own address. */
  readonly sender?: string | undefined
}

/** For jobs that send: about a week of tries, the later ones an hour apart, as long as most links work. */
export const mailAttempts = 180

export interface Mail {
  /**
   * Resolves when the mail server has taken the message, or, without one, when its file is durable. Rejects otherwise;
   * most callers are jobs, which try again, unless it is `MailRefused`.
   */
  send(message: Message): Promise<void>
  close(): void
}

export interface MailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. Absent: every message becomes a file in `outboxDir`. */
  readonly smtpUrl: string | undefined
  /** Made when missing. */
  readonly outboxDir: string
  readonly from: string
  /** Epoch milliseconds, for the Date header. */
  readonly now?: () => number
  /** How long a mail server may take for one message, however busy it seems. Milliseconds. */
  readonly totalMs?: number
}

/** How long a mail server may say nothing. Milliseconds. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
/** A server that says a little now and then is never silent. Milliseconds for one message. */
const mostMs = 120_000
const greetingMs = 30_000
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const lineBreaks = /[\r\n\0]/

/** Longer names are cut: no reader of mail shows more of them. */
const senderLetters = 60
/** A name that holds these could pass for an address, or be read in another order than it is written. */
const notInSender = /[<>@"\\\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** `Harbour via Interviews <service@…>`: whose letter it is, and whose address. */
const fromOf = (from: string, sender: string | undefined): SendMailOptions['from'] => {
  const words = inOneLine((sender ?? '').toWellFormed().replaceAll(notInSender, ' '))
  if (words === '') return from
  const [, own = '', address = from] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(from) ?? []
  const letters = [...new Intl.Segmenter('en').segment(words)].slice(0, senderLetters)
  const name = letters.map(({ segment }) => segment).join('')
  const product = own.replaceAll(/^"|"$/g, '')
  return { name: product === '' ? name : `${name} via ${product}`, address }
}

const compose = (message: Message, from: string, at: number): SendMailOptions => {
  for (const value of [message.subject, message.id, message.replyTo ?? '', ...message.to])
    if (lineBreaks.test(value)) throw new TypeError('a mail header must be one line')
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '')
  return {
    from: fromOf(from, message.sender),
    to: message.to.map((address) => ({ name: '', address })),
    ...(message.replyTo === undefined ? {} : { replyTo: { name: '', address: message.replyTo } }),
    subject: message.subject,
    text: message.text,
    ...(message.html === undefined ? {} : { html: message.html }),
    attachments: (message.pictures ?? []).map(({ cid, png }) => ({
      cid,
      content: png,
      contentType: 'image/png',
      contentDisposition: 'inline' as const,
      filename: 'logo.png',
    })),
    ...(message.calendar === undefined
      ? {}
      : { icalEvent: { method: message.calendar.method, content: message.calendar.text, filename: 'interview.ics' } }),
    date: new Date(at),
    messageId: `<${message.id}@${domain}>`,
    // RFC 3834: no program answers it, such as one that says that somebody is on holiday.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Nothing in a text of ours names a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A password goes over an encrypted connection only, unless it stays on this machine. */
const smtpOptions = (smtpUrl: string) => {
  const url = new URL(smtpUrl)
  const requireTLS = url.username !== '' && !loopback.test(url.hostname) && !url.searchParams.has('requireTLS')
  if (requireTLS) url.searchParams.set('requireTLS', 'true')
  return { url: url.href, ...patience }
}

/**
 * The mail server refuses this message, or all who are to get it, for good (RFC 5321, 4.2.1: a sender must not repeat it).
 * Its words are left out, as they tend to repeat addresses.
 */
export class MailRefused extends GiveUp {
  override readonly name = 'MailRefused'
  constructor(code: number) {
    super(`the mail server refuses the message for good (${code})`)
  }
}

/** The same without what the server said, which is kept with the job and tends to repeat addresses, too. */
const notTaken = (error: unknown): unknown => {
  const { responseCode } = error as { responseCode?: number }
  return responseCode === undefined
    ? error
    : new Error(`the mail server does not take the message now (${responseCode})`)
}

/** What nodemailer says of a refusal: whether it was of the envelope or of the text, and with which code. */
const refusalOf = (error: unknown): MailRefused | undefined => {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  const ofMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  return ofMessage && responseCode >= 550 && responseCode < 560 ? new MailRefused(responseCode) : undefined
}

const smtpMail = (transport: Transporter, { from, now = Date.now, totalMs = mostMs }: MailOptions): Mail => ({
  async send(message) {
    // Its end closes the connection.
    const signal = AbortSignal.timeout(totalMs)
    try {
      await transport.sendMail({ ...compose(message, from, now()), signal })
    } catch (error) {
      if (signal.aborted) throw new Error(`the mail server did not take the message within ${totalMs / 1000} s`)
      throw refusalOf(error) ?? notTaken(error)
    }
  },
  close: () => transport.close(),
})

/** Each message becomes one `.eml` file (RFC 5322); something else has to send them on. */
const fileMail = ({ from, outboxDir, now = Date.now }: MailOptions): Mail => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(message) {
      const { message: bytes } = await transport.sendMail(compose(message, from, now()))
      await writeMessage(outboxDir, message.id, bytes as Buffer)
    },
    close: () => undefined,
  }
}

export const createMail = (options: MailOptions): Mail =>
  options.smtpUrl === undefined ? fileMail(options) : smtpMail(createTransport(smtpOptions(options.smtpUrl)), options)

/**
 * Greets the mail server and signs in, without sending anything. Rejects where a message could not be handed over, and
 * after `totalMs` with a server that only talks.
 */
export const greetMailServer = async (smtpUrl: string, totalMs = greetingMs): Promise<void> => {
  const transport = createTransport(smtpOptions(smtpUrl))
  const late = () => new Error(`the mail server did not let this service in within ${totalMs / 1000} s`)
  try {
    await inTime(transport.verify(), totalMs, late)
  } finally {
    transport.close()
  }
}
