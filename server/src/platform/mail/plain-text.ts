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

/** A subject that says where the session is, so that nobody takes a trial for the real thing. */
export const subjectOf = (environment: 'live' | 'sandbox', words: string): string =>
  inOneLine(environment === 'sandbox' ? `[Sandbox] ${words}` : words)

/** Paragraphs with an empty line between them; what is not there is left out. */
export const paragraphs = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('\n\n')
