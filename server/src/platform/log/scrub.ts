import { secretPrefixes } from '@integrity/protocol'

/** Stands where something was taken out. */
export const redacted = '[redacted]'

/** The prefixes that name the kinds of our secrets, the longer of two that share a beginning first. */
export const prefixesOfSecrets: readonly string[] = Object.values(secretPrefixes).sort((a, b) => b.length - a.length)

/**
 * A secret wherever it stands. No word boundary before it, because in a JSON line `\n` or `%2F` may come first; at
 * least 16 characters after the prefix (every secret has more), so that ordinary words are left alone.
 */
const prefixed = new RegExp(`(${prefixesOfSecrets.join('|')})[A-Za-z0-9_\\-.~+/=%]{16,}`, 'g')

const queryValue =
  /([?&;#][\w.-]*(?:token|secret|password|passphrase|ticket|code|signature|sig|api_?key|credential|assertion|samlresponse|state)=)[^&\s"'#<>\\]+/gi
const authorization = /\b(bearer|basic|digest|negotiate)\s+[^\s"',\\]+/gi
const urlUserinfo = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'\\]*@/gi
/** `"password":"…"`, `token=…` or `Cookie: …` inside a text, such as a quoted request body or header block. */
const namedValue =
  /((?:token|secret|password|passphrase|api[-_]?key|join[-_]?code|private[-_]?key|master[-_]?key)\\?["']?\s*[:=]\s*)(?:\\"[^"\\]*|"(?:[^"\\]|\\.)*|'[^']*|[^\s,;&}\\"']+)/gi
const cookie = /(\b(?:set-)?cookie\\?["']?\s*[:=]\s*).+/gi
/** A join code as people read it: two groups of four of Crockford's alphabet. Not a part of a longer id. */
const joinCode = /(?<![\w-])[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}(?![\w-])/g

/** Takes the secrets with our prefixes out of a whole log line: the last step, whatever came before. */
export const scrubLine = (line: string): string => line.replace(prefixed, `$1${redacted}`)

/** Ids, words and numbers alone: nothing but the prefix rule can apply, and most logged values are of this kind. */
const plain = /^[\w.]*$/

/** Takes everything that looks like a credential out of one text: a message, a URL, a stack. */
export const scrubText = (text: string): string => {
  const scrubbed = text.includes('_') ? scrubLine(text) : text
  if (plain.test(scrubbed)) return scrubbed
  const named = scrubbed
    .replace(queryValue, `$1${redacted}`)
    .replace(authorization, `$1 ${redacted}`)
    .replace(cookie, `$1${redacted}`)
    .replace(namedValue, `$1${redacted}`)
  const addressed = named.includes('://') ? named.replace(urlUserinfo, `$1${redacted}@`) : named
  return addressed.includes('-') ? addressed.replace(joinCode, redacted) : addressed
}
