/** Words of a person as lines of a message: no control characters, and every line marked as theirs. */
export const quoted = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

/** A name as part of a header or a sentence: one line. */
export const inOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/** What a mail program would make a link of, or somebody would copy into a browser: `a://b`, `a@b`, `www.a`, `a.b/c`. */
const addressLike = /:\/\/|@|^\W*www\.|[\p{L}\d]\.[\p{L}\d-]{2,}[/?#]/iu
/** `example.com`; initials (`J.R.R.`) are none. */
const hostLike = /[\p{L}\d-]{2,}\.\p{L}{2,}/u

const withoutWords = (text: string, unwanted: (word: string) => boolean): string =>
  inOneLine(text)
    .split(' ')
    .filter((word) => !unwanted(word))
    .join(' ')

/**
 * The name of a person as a mail of this service says it: whoever typed it in writes no address into somebody's mailbox. Empty
 * where nothing is left of it.
 */
export const personInMail = (name: string): string =>
  withoutWords(name, (word) => addressLike.test(word) || hostLike.test(word))

/** The same of an organisation, which may be called `Example.com`. */
export const orgInMail = (name: string): string => withoutWords(name, (word) => addressLike.test(word))

/** A subject that says where the session is, so that nobody takes a trial for the real thing. */
export const subjectOf = (environment: 'live' | 'sandbox', words: string): string =>
  inOneLine(environment === 'sandbox' ? `[Sandbox] ${words}` : words)

/** Paragraphs with an empty line between them; what is not there is left out. */
export const paragraphs = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('\n\n')
