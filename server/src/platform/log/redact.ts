import { Cache } from '../cache.ts'
import { redacted, scrubText } from './scrub.ts'

/** A key whose name ends in one of these (case, dash and underscore aside, plural too) has its value taken out. */
const secretKey =
  /(token|secret|password|passphrase|passwd|apikey|joincode|privatekey|masterkey|signingkey|credential|authorization|cookie|assertion|samlresponse|signature|otp)s?$/
/** Keys that carry what people wrote or sent. */
const contentKey = /^(body|rawbody|requestbody|responsebody|text|transcript)$/

const maxDepth = 8
const maxItems = 100

/** Key names are few and come again with every line; the bound is for data that makes up its own. */
const maxKnownKeys = 2000
const knownKeys = new WeakMap<ReadonlySet<string>, Cache<boolean>>()

const decide = (key: string, extra: ReadonlySet<string>): boolean => {
  const plain = key.toLowerCase().replace(/[-_\s]/g, '')
  return secretKey.test(plain) || contentKey.test(plain) || extra.has(plain)
}

const isHidden = (key: string, extra: ReadonlySet<string>): boolean => {
  const known = knownKeys.get(extra) ?? new Cache<boolean>({ limit: maxKnownKeys })
  knownKeys.set(extra, known)
  return known.getOrMake(key, () => decide(key, extra))
}

/** A closed set of fields: an error of a library may hang the whole request with its headers on itself. */
const safeError = (error: Error, depth: number, extra: ReadonlySet<string>): Record<string, unknown> => ({
  type: error.name,
  message: scrubText(error.message),
  ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
  ...(error.stack === undefined ? {} : { stack: scrubText(error.stack) }),
  ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1, extra) }),
})

const redactEntries = (value: object, depth: number, extra: ReadonlySet<string>): Record<string, unknown> => {
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value).slice(0, maxItems)) {
    const hidden = isHidden(key, extra) && item !== null && item !== undefined && typeof item !== 'boolean'
    copy[scrubText(key)] = hidden ? redacted : redactValue(item, depth + 1, extra)
  }
  return copy
}

const redactObject = (value: object, depth: number, extra: ReadonlySet<string>): unknown => {
  if (depth > maxDepth) return '[deep]'
  if (value instanceof Error) return safeError(value, depth, extra)
  if (value instanceof Uint8Array) return `[${value.length} bytes]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return scrubText(value.href)
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => redactValue(item, depth + 1, extra))
  if (value instanceof Set) return redactObject([...value], depth, extra)
  // Map and Headers have their entries behind an iterator, where neither JSON nor a rule by key would see them.
  if (value instanceof Map || value instanceof Headers) {
    return redactEntries(Object.fromEntries(value as Iterable<[string, unknown]>), depth, extra)
  }
  return redactEntries(value, depth, extra)
}

/**
 * A copy that may be logged: values under secret or content keys replaced at any depth, every text scrubbed, errors
 * reduced to type, message, code, stack and cause, bytes to their number. Cycles end at depth 8, lists at 100 items.
 */
export const redactValue = (value: unknown, depth: number, extra: ReadonlySet<string>): unknown => {
  if (typeof value === 'string') return scrubText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  return typeof value === 'object' && value !== null ? redactObject(value, depth, extra) : value
}
