import { createHash } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'

export interface Message {
  /** The sender's own id of it: sending again under the same id replaces the file instead of adding one. */
  readonly id: string
  readonly to: readonly string[]
  readonly subject: string
  /** Plain text; lines end in `\n`. */
  readonly text: string
}

export interface Mail {
  /** Resolves when the message is durable on disk. Rejects when it cannot be written. */
  send(message: Message): Promise<void>
}

export interface MailOptions {
  /** Made when missing. */
  readonly outboxDir: string
  /** Epoch milliseconds, for the Date header. */
  readonly now?: () => number
}

const from = 'service@localhost'
const lineBreaks = /[\r\n\0]/

const base64Lines = (text: string): string => Buffer.from(text, 'utf8').toString('base64').replace(/.{76}/g, '$&\r\n')

/** RFC 2047 where it must be; a header never holds a line break, which would begin another header. */
const headerText = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`

const render = (message: Message, at: number): string => {
  for (const value of [message.subject, message.id, ...message.to])
    if (lineBreaks.test(value)) throw new TypeError('a mail header must be one line')
  return [
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `From: ${from}`,
    `To: ${message.to.join(', ')}`,
    `Message-ID: <${message.id}@localhost>`,
    `Subject: ${headerText(message.subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    base64Lines(message.text.replace(/\r?\n/g, '\r\n')),
    '',
  ].join('\r\n')
}

/**
 * Mail without a mail server: each message becomes one `.eml` file (RFC 5322) in the outbox directory, whole or not at
 * all. Something else has to send them on.
 */
export const createMail = ({ outboxDir, now = Date.now }: MailOptions): Mail => ({
  async send(message) {
    const text = render(message, now())
    await mkdir(outboxDir, { recursive: true, mode: 0o700 })
    const name = /^[A-Za-z0-9_-]{1,100}$/.test(message.id)
      ? message.id
      : createHash('sha256').update(message.id).digest('hex')
    const path = join(outboxDir, `${name}.eml`)
    const partial = `${path}.partial`
    const file = await open(partial, 'w', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
  },
})

/** What to say at start about a mail server that was configured; nothing when none was. */
export const mailWarning = (smtpUrl: string | undefined, outboxDir: string): string | undefined =>
  smtpUrl === undefined
    ? undefined
    : `SMTP_URL is set, but sending through a mail server is not supported yet: mail is written to ${outboxDir} as .eml files`
