import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import type { TestServer } from './server.ts'

/** A message as its reader sees it. */
export interface ReadMail {
  readonly id: string
  readonly to: string
  readonly replyTo: string | undefined
  readonly subject: string
  /** Names of all its headers, in lower case. */
  readonly headers: readonly string[]
  /** Lines end in `\n`. */
  readonly text: string
}

const quotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** Encoded words of RFC 2047; blanks between two of them are not part of the text. */
const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : quotedPrintable(text.replaceAll('_', ' ')).toString('latin1'),
    )

const decodeHeader = (value: string): string =>
  /=\?utf-8\?/i.test(value) ? Buffer.from(decodeWords(value), 'latin1').toString('utf8') : value

const bodyOf = (body: string, encoding: string | undefined): string => {
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(body)
        : Buffer.from(body, 'utf8')
  return bytes.toString('utf8').replaceAll('\r\n', '\n')
}

/** Headers and body of a message, or of a part of one. */
const splitMail = (source: string) => {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
  const fields = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  const field = (name: string): string | undefined => fields.find(([found]) => found === name)?.[1]
  return { fields, field, body: source.slice(end + 4) }
}

/** The plain text: of a message of several parts it is the first. */
const textOf = ({ field, body }: ReturnType<typeof splitMail>): string => {
  const boundary = /boundary="?([^";]+)/i.exec(field('content-type') ?? '')?.[1]
  if (boundary === undefined) return bodyOf(body, field('content-transfer-encoding')?.toLowerCase())
  const [, first = ''] = body.split(`--${boundary}\r\n`)
  return textOf(splitMail(first.replace(/\r\n$/, '')))
}

/** Reads a message (RFC 5322, 2045, 2046, 2047). */
export const readMail = (source: string): ReadMail => {
  const mail = splitMail(source)
  const { fields, field } = mail
  return {
    id: field('message-id') ?? '',
    to: field('to') ?? '',
    replyTo: field('reply-to'),
    subject: decodeHeader(field('subject') ?? ''),
    headers: fields.map(([name]) => name ?? ''),
    text: textOf(mail),
  }
}

/** Every message of a server without a mail server, oldest first: their names are ids, which sort by time. */
export const readOutbox = async ({ app }: TestServer): Promise<ReadMail[]> => {
  const folder = path.join(app.config.dataDir, 'outbox')
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith('.eml'))
  // The time is behind the kind of the id.
  const byTime = names.sort((a, b) => (a.slice(a.indexOf('_')) < b.slice(b.indexOf('_')) ? -1 : 1))
  return Promise.all(byTime.map(async (name) => readMail(await readFile(path.join(folder, name), 'utf8'))))
}

/** Every message as a reader of mail understands it, oldest first. */
export const parseOutbox = async ({ app }: TestServer): Promise<Email[]> => {
  const folder = path.join(app.config.dataDir, 'outbox')
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(path.join(folder, name)))))
}
