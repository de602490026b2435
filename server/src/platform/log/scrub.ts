import { secretPrefixes } from '@integrity/protocol'

/** Stands where something was taken out. */
export const REDACTED = '[redacted]'

/** The prefixes that name the kinds of our secrets, the longer of two that share a beginning first. */
export const SECRET_PREFIXES: readonly string[] = Object.values(secretPrefixes).sort((a, b) => b.length - a.length)

/**
 * A secret wherever it stands. No word boundary before it, because in a JSON line `\n` or `%2F` may come first; at
 * least 16 characters after the prefix (every secret has more), so that ordinary words are left alone.
 */
const PREFIXED = new RegExp(`(${SECRET_PREFIXES.join('|')})[A-Za-z0-9_\\-.~+/=%]{16,}`, 'g')

const QUERY_VALUE =
  /([?&;#][\w.-]*(?:token|secret|password|passphrase|ticket|code|signature|sig|api_?key|credential|assertion|samlresponse|state)=)[^&\s"'#<>\\]+/gi
const AUTHORIZATION = /\b(bearer|basic|digest|negotiate)\s+[^\s"',\\]+/gi
const URL_USERINFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'\\]*@/gi
/** `"password":"…"`, `token=…` or `Cookie: …` inside a text, such as a quoted request body or header block. */
const NAMED_VALUE =
  /((?:token|secret|password|passphrase|api[-_]?key|join[-_]?code|private[-_]?key|master[-_]?key)\\?["']?\s*[:=]\s*)(?:\\"[^"\\]*|"(?:[^"\\]|\\.)*|'[^']*|[^\s,;&}\\"']+)/gi
const COOKIE = /(\b(?:set-)?cookie\\?["']?\s*[:=]\s*).+/gi
/** A join code as people read it: two groups of four of Crockford's alphabet. Not a part of a longer id. */
const JOIN_CODE = /(?<![\w-])[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}(?![\w-])/g

/** Takes the secrets with our prefixes out of a whole log line: the last step, whatever came before. */
export const scrubLine = (line: string): string => line.replace(PREFIXED, `$1${REDACTED}`)

/** Ids, words and numbers alone: nothing but the prefix rule can apply, and most logged values are of this kind. */
const PLAIN = /^[\w.]*$/

/** Takes everything that looks like a credential out of one text: a message, a URL, a stack. */
export const scrubText = (text: string): string => {
  const scrubbed = text.includes('_') ? scrubLine(text) : text
  if (PLAIN.test(scrubbed)) return scrubbed
  const named = scrubbed
    .replace(QUERY_VALUE, `$1${REDACTED}`)
    .replace(AUTHORIZATION, `$1 ${REDACTED}`)
    .replace(COOKIE, `$1${REDACTED}`)
    .replace(NAMED_VALUE, `$1${REDACTED}`)
  const addressed = named.includes('://') ? named.replace(URL_USERINFO, `$1${REDACTED}@`) : named
  return addressed.includes('-') ? addressed.replace(JOIN_CODE, REDACTED) : addressed
}
